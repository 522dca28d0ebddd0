"""The demo's job: a translator from a sample of the phrasebook."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

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


def write_demo_corpus(folder: Path, *, pairs: int = 20_000, seed: int = 1) -> None:
    """Write a sample of the phrasebook: train, dev and test as running text, and gold links."""
    most = phrasebook.SIZE - DEV_PAIRS - TEST_PAIRS
    if not 1 <= pairs <= most:
        raise OptionError(f"pairs is {pairs}, expected 1 to {most}")
    folder.mkdir(parents=True, exist_ok=True)
    phrasebook.write(folder, seed=seed, test=TEST_PAIRS, dev=DEV_PAIRS, train=pairs)


def train_demo(
    folder: str | Path, *, pairs: int = 20_000, seed: int = 1, engine: EngineLike = ALL_CORES
) -> DemoReport:
    """Write the corpus, train, tune and score; keep the stages that are done."""
    begin = monotonic()
    folder = Path(folder)
    write_demo_corpus(folder, pairs=pairs, seed=seed)
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
