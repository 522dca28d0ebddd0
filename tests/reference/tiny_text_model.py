"""Small models of both kinds with preprocessing of their own, which translate word by word."""

from pathlib import Path

from tunesmith.base.weights import Weights
from tunesmith.corpus import Preprocessor
from tunesmith.corpus.casing import Casing, Truecase
from tunesmith.corpus.compounds import CompoundSplitter
from tunesmith.corpus.known_words import KnownWords
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.tokenizers import MosesTokenizer, Tokenizer
from tunesmith.formats.weights import write_weights
from tunesmith.grammar.moses import import_moses_table
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel, new_model, write_description
from tunesmith.model.files import WEIGHTS_FILE

GERMAN = ["der Hund vor der Hütte ist gut .", "ein Hund und eine Hütte , das Haus !", "sie sieht"]
ENGLISH = ["the dog in front of the hut is good .", "a dog and a hut , the house !", "she sees"]
WORDS = {
    "der": ["the"], "die": ["the"], "das": ["the"], "ein": ["a"], "eine": ["a"], "Hund": ["dog"],
    "Hütte": ["hut", "cottage"], "Haus": ["house", "the house"], "ist": ["is"], "gut": ["good"],
    "und": ["and"], "sieht": ["sees"], "sie": ["she"], ".": ["."], "!": ["!"], ",": [","],
    "vor": ["in front of"],
}  # fmt: skip


def text_model(
    folder: Path,
    kind: str = "phrase",
    *,
    words: dict[str, list[str]] = WORDS,
    source: Tokenizer | None = None,
    target: Tokenizer | None = None,
    casing: tuple[Casing, Casing] | None = None,
    compounds: bool = True,
) -> TranslationModel:
    """Each word has a few translations, the first the best; orders are those of the source."""
    cased = casing or (_truecase(GERMAN), _truecase(ENGLISH))
    splitter = CompoundSplitter().fit(GERMAN) if compounds else None
    counts = dict.fromkeys(words, 5)
    sides = (
        Preprocessor(
            source or MosesTokenizer("de"),
            cased[0],
            splitter,
            Protection(),
            KnownWords.of(counts, compounds=True),
        ),
        Preprocessor(target or MosesTokenizer("en"), cased[1], protection=Protection()),
    )
    pairs = [(one, other, rank) for one in words for rank, other in enumerate(words[one])]
    with new_model(folder) as temporary:
        for name, side in zip(("source", "target"), sides, strict=True):
            side.save(temporary / f"{name}.json")
        NgramLM.fit(ENGLISH, order=2).save(temporary / "lm.bin")
        files = {"source": "source.json", "target": "target.json", "language_models": ["lm.bin"]}
        if kind == "phrase":
            table = "".join(
                f"{s} ||| {t} ||| {0.5 / (1 + r)} 0.5 0.5 0.5 ||| 0-0\n" for s, t, r in pairs
            )
            (temporary / "phrases").write_text(table)
            import_moses_table(temporary / "phrases", temporary / "phrases.bin")
            (temporary / "phrases").unlink()
            search = {"distortion_limit": 0}
            write_description(temporary, tables=["phrases.bin"], search=search, **files)
        else:
            rules = "".join(f"[X] ||| {s} ||| {t} ||| p={-r}\n" for s, t, r in pairs)
            (temporary / "grammar").write_text(rules)
            write_description(temporary, grammar="grammar", **files)
        model = TranslationModel.load(temporary)
        weights = {name: float(name.startswith("tm.")) for name in model.feature_names}
        write_weights(temporary / WEIGHTS_FILE, Weights({**weights, "unknown": 5.0}))
    return TranslationModel.load(folder)


def _truecase(lines: list[str]) -> Casing:
    """Of text whose sentences start with capitals."""
    return Truecase().fit([line[0].upper() + line[1:] for line in lines])
