"""BLEU of translations as a reader sees them: running text, with sacreBLEU's own tokeniser."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from tunesmith.base.seeds import DEFAULT_SEED
from tunesmith.corpus.choosing import kind_of
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.evaluate.compare import compare_systems
from tunesmith.metrics import Bleu

# Language → sacreBLEU's tokeniser, and the package that it needs.
_TOKENIZERS = {"zh": ("zh", ""), "yue": ("zh", ""), "ja": ("ja-mecab", "MeCab"),
               "ko": ("ko-mecab", "mecab_ko")}  # fmt: skip
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
