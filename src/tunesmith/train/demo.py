"""The demo's job: a translator from the embedded phrasebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import OptionError
from tunesmith.corpus import phrasebook
from tunesmith.decode import open_decoder
from tunesmith.decode.translate import Translator
from tunesmith.engine import ALL_CORES, EngineLike, as_engine
from tunesmith.formats.text import read_lines
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.train.options import LmOptions, TextOptions, TrainOptions, TuneOptions
from tunesmith.train.pipeline import Training

DEV_PAIRS, TEST_PAIRS = 300, 500

# An example of this length shows something and still fits on a screen.
EXAMPLE_WORDS = range(8, 15)


@dataclass(frozen=True)
class DemoReport:
    """What the demo shows."""

    model: TranslationModel
    untuned_score: float
    test_score: float
    signature: str
    seconds: float

    def example(self, translations: Sequence[str], references: Sequence[str]) -> tuple[int, str]:
        """A translation that is right, of a telling length; and how it was chosen."""
        right = [i for i, text in enumerate(translations) if text == references[i]]
        shown = next((i for i in right if len(translations[i].split()) in EXAMPLE_WORDS), None)
        count = f"{len(right)} of the first {len(translations)} translations equal their reference"
        if shown is None:
            return 0, f"{count}. The first translation:"
        words = f"{EXAMPLE_WORDS[0]} to {EXAMPLE_WORDS[-1]} words"
        return shown, f"{count}. The first of these with {words}:"


def train_demo(
    folder: str | Path, *, pairs: int = 20_000, seed: int = 1, engine: EngineLike = ALL_CORES
) -> DemoReport:
    """Write the corpus, train, tune and score; what is done already is kept."""
    if pairs < 1:
        raise OptionError(f"pairs is {pairs}, expected at least 1")
    begin = monotonic()
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    _write_corpus(folder, pairs, seed)
    options = TrainOptions(
        text=TextOptions(source_language="de", target_language="en"),
        lm=LmOptions(order=4),
        tune=TuneOptions(iterations=6),
        seed=seed,
        threads=as_engine(engine).threads,
    )
    report = Training(
        source=folder / "train.de",
        target=folder / "train.en",
        dev_source=folder / "dev.de",
        dev_references=[folder / "dev.en"],
        out=folder / "model",
        options=options,
    ).run()
    model = report.model
    metric = Bleu()
    sources, references = read_lines(folder / "test.de"), read_lines(folder / "test.en")
    decoder = open_decoder(model, engine=engine)
    scores = [
        metric.corpus_score(Translator(decoder, weights=weights).translate(sources), [references])
        for weights in (model.initial_weights(), model.weights)
    ]
    return DemoReport(model, scores[0], scores[1], metric.signature(), monotonic() - begin)


def _write_corpus(folder: Path, pairs: int, seed: int) -> None:
    """train, dev and test as people write text; no sentence is in two of them."""
    names = [f"{part}.{side}" for part in ("train", "dev", "test") for side in ("de", "en")]
    record = folder / "corpus.txt"
    what = f"{pairs} + {DEV_PAIRS} + {TEST_PAIRS} phrasebook pairs, seed {seed}\n"
    if record.exists() and record.read_text(encoding="utf-8") == what:
        return
    made = phrasebook.generate(pairs + DEV_PAIRS + TEST_PAIRS, seed=seed)
    borders = {
        "test": made[:TEST_PAIRS],
        "dev": made[TEST_PAIRS : TEST_PAIRS + DEV_PAIRS],
        "train": made[TEST_PAIRS + DEV_PAIRS :],
    }
    for name in names:
        part, side = name.split(".")
        with atomic_text(folder / name) as stream:
            for pair in borders[part]:
                stream.write(f"{pair.raw_source if side == 'de' else pair.raw_target}\n")
    record.write_text(what, encoding="utf-8")
