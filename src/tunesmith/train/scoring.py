"""BLEU of translations as a reader sees them: running text, with sacreBLEU's own tokeniser."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.choosing import kind_of
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.evaluate.compare import compare_systems
from tunesmith.metrics import Bleu

# Language → sacreBLEU's tokeniser, and the package that it needs.
_TOKENIZERS = {"zh": ("zh", ""), "yue": ("zh", ""), "ja": ("ja-mecab", "MeCab"),
               "ko": ("ko-mecab", "mecab_ko")}  # fmt: skip
# Points of BLEU between tokens and running text that want an explanation.
_WIDE_GAP = 1.0
# Without spaces, and without words that are the same for everybody.
_BY_CHARACTERS = ("ja", "th", "lo", "km", "my")


@dataclass(frozen=True)
class TextScore:
    """BLEU on running text with its 95 % interval by bootstrap."""

    score: float
    low: float
    high: float
    signature: str
    tokenize: str
    """BLEU's tokeniser."""

    def __str__(self) -> str:
        return f"{self.score:6.2f}  {self.low:.2f}–{self.high:.2f}  {self.signature}"


def bleu_tokenizer(language: str) -> str:
    """That of sacreBLEU's tokenisers for a language which is installed.

    >>> bleu_tokenizer("de"), bleu_tokenizer("zh"), bleu_tokenizer("th")
    ('13a', 'zh', 'char')
    """
    name, package = _TOKENIZERS.get(language, ("", ""))
    if name and (not package or find_spec(package)):
        return name
    return "char" if language in _BY_CHARACTERS else "13a"


def score_text(
    translated: Sequence[str],
    references: Sequence[Sequence[str]],
    *,
    language: str = "",
    tokenised: bool = False,
    seed: int = DEFAULT_SEED,
    engine: EngineLike = ALL_CORES,
) -> TextScore:
    """The score of translations; what came `tokenised` is counted in its tokens.

    A `language` that is not given is that of the references' script.
    """
    found = language or kind_of(references[0]).language
    metric = Bleu(tokenize="none" if tokenised else bleu_tokenizer(found))
    [table] = compare_systems(
        {"": translated}, references, [metric], randomisation_trials=0, seed=seed, engine=engine
    )
    [row] = table.systems
    low, high = row.low or 0.0, row.high or 0.0  # there are none without a bootstrap
    return TextScore(row.score, low, high, metric.signature(len(references)), metric.tokenize)


def gap_to_tokens(
    tuned: float,
    score: TextScore,
    translated: Sequence[str],
    references: Sequence[Sequence[str]],
    target: Preprocessor,
) -> str:
    """Explain a score of running text that is far from the `tuned` one of its tokens.

    Casing costs what ignoring it gains, spacing what references gain that were tokenised and
    joined as translations are; the rest comes from BLEU's own tokeniser.
    """
    if abs(score.score - tuned) < _WIDE_GAP:
        return ""
    respaced = [target.join(target.tokenizer.tokenize(list(side))) for side in references]
    casing = score.score - _bleu(translated, references, score.tokenize, lowercase=True)
    spacing = score.score - _bleu(translated, respaced, score.tokenize)
    rest = score.score - tuned - casing - spacing
    return (
        f"{score.score - tuned:+.2f} from tuned to dev: casing {casing:+.2f}, spacing "
        f"{spacing:+.2f}, tokens of {score.tokenize} instead of the model's {rest:+.2f}"
    )


def _bleu(
    translated: Sequence[str],
    references: Sequence[Sequence[str]],
    tokenize: str,
    *,
    lowercase: bool = False,
) -> float:
    return Bleu(tokenize=tokenize, lowercase=lowercase).corpus_score(translated, references)
