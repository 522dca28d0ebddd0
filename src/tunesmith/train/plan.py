"""What a training run will do and what it will cost, before anything is done."""

from itertools import islice
from typing import NamedTuple

from tunesmith.corpus.unspaced import about_words
from tunesmith.formats.text import iter_lines, read_lines
from tunesmith.train import machine
from tunesmith.train.held_out import usual_size
from tunesmith.train.pipeline import Training


class Cost(NamedTuple):
    """What a stage takes for a million words (both sides together)."""

    seconds: float
    """Of CPU, for a text of `USUAL_WORDS` words on the machine of `tunesmith.train.machine`."""
    memory: float
    """Megabytes, as is `disk`."""
    disk: float
    growth: float = 0.0
    """For a word of a text of n words it is (n / `USUAL_WORDS`)^growth times as much."""


# Seconds are within a factor of two of what each stage took on Multi30k (29k pairs), Europarl de-en
# (20k and 100k) and Europarl es-en (100k); those of `mono`, `reorder` and `features`, memory and
# disk are orders of magnitude.
COSTS = {
    "corpus": Cost(2.6, 30.0, 12.0),
    "align": Cost(0.0, 60.0, 6.0),
    "mono": Cost(1.0, 150.0, 60.0),
    "lm": Cost(0.3, 70.0, 50.0, growth=0.3),
    "lm2": Cost(0.7, 110.0, 60.0),
    "phrases": Cost(4.7, 190.0, 330.0, growth=0.3),
    "grammar": Cost(1.0, 60.0, 25.0),
    "folds": Cost(40.0, 200.0, 800.0, growth=0.3),
    "learn": Cost(110.0, 250.0, 300.0),
    "reorder": Cost(8.0, 150.0, 150.0),
    "features": Cost(1.2, 300.0, 130.0),
}
# Of hierarchical models: rules of a fold take more room than phrases, and a chart more time.
HIERO_COSTS = {"folds": Cost(90.0, 500.0, 2600.0), "learn": Cost(300.0, 2500.0, 100.0)}
USUAL_WORDS = 5e6
# Of memory, what the program itself takes.
PROGRAM_MB = 100.0
# The models of the folds stay in memory while the learner uses them, up to so many megabytes.
FOLDS_MB = 1000.0
# All words of a sentence are looked at for each of the other side: seconds for a million words of
# sentences of one word, so many times as much for longer ones.
ALIGN_SECONDS = 0.18
# Seconds of search for a million words and one iteration, megabytes of k-best lists for a
# thousand dev sentences.
SEARCH_SECONDS, HIERO_SECONDS, POOL_MB = 190.0, 450.0, 120.0
# What text that is tokenised takes of the time to prepare it.
TOKENISED_SHARE = 0.2
SAMPLE = 20_000
# Times the dev set is decoded before tuning gains no more, to which patience is added.
GAINING_TURNS = 4


class Row(NamedTuple):
    """A stage of a plan: CPU seconds, megabytes of memory and of disk."""

    stage: str
    is_kept: bool
    seconds: float
    memory: float
    disk: float


def plan(training: Training, *, slowness: float | None = None) -> str:
    """A table: stage, whether it is kept, estimates of CPU time, memory and disk; all of them.

    `slowness` is that of this machine; by default it is measured, in less than a second.
    """
    text = _size(training)
    times = machine.slowness() if slowness is None else slowness
    rows, again = [], False
    for name, stage in training.stages.items():
        again = again or name == training.from_stage
        seconds, memory, disk, _ = _cost(training, name, text)
        is_kept = stage.is_done(training.work) and not again
        rows.append(Row(name, is_kept, times * seconds, memory + PROGRAM_MB, disk))
    to_do = [row for row in rows if not row.is_kept]
    cells = [["stage", "state", "CPU s", "memory MB", "disk MB"]]
    cells += [_cells(row, "kept" if row.is_kept else "to do") for row in rows]
    seconds, disk = sum(row.seconds for row in to_do), sum(row.disk for row in to_do)
    most = max((row.memory for row in to_do), default=0.0)
    cells.append(_cells(Row("all", False, seconds, most, disk), "to do"))
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    table = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cells
    )
    return f"about {text.pairs:,} pairs, {text.words / 1e6:.1f} million words\n{table}"


def _cells(row: Row, state: str) -> list[str]:
    return [row.stage, state, f"{row.seconds:,.0f}", f"{row.memory:,.0f}", f"{row.disk:,.0f}"]


class Size(NamedTuple):
    """Of the training text; words are those of both sides."""

    pairs: int
    words: float


def _cost(training: Training, stage: str, text: Size) -> Cost:
    """What a stage takes in all."""
    options = training.options
    if stage in ("tune", "retune"):
        return _tuning_cost(training, stage, text)
    known = {**COSTS, **HIERO_COSTS} if options.model == "hiero" else COSTS
    cost = known.get(stage) or known[stage.removesuffix("2")]
    words = _mono_words(training) if stage == "mono" else text.words
    millions = words / 1e6
    memory = cost.memory * millions
    seconds = cost.seconds * millions * (text.words / USUAL_WORDS) ** cost.growth
    if stage.removesuffix("2") == "align":
        seconds = ALIGN_SECONDS * millions * words / 2 / max(text.pairs, 1)
    elif stage == "learn":
        seconds *= options.maxforce.epochs
        if options.has_folds and options.model == "phrase":
            memory += min(COSTS["folds"].disk * millions, FOLDS_MB)
    elif stage == "corpus" and set(options.text.tokenizers) == {"none"}:
        seconds *= TOKENISED_SHARE
    return Cost(seconds, memory, cost.disk * millions)


def _tuning_cost(training: Training, stage: str, text: Size) -> Cost:
    options = training.options
    lines, words = _dev_size(training, text)
    turns = 1 + (options.learn.retune if stage == "retune" else options.tune.iterations)
    if options.tune.patience:
        turns = min(turns, GAINING_TURNS + options.tune.patience)
    each = HIERO_SECONDS if options.model == "hiero" else SEARCH_SECONDS
    lists = POOL_MB * lines / 1000
    return Cost(words / 1e6 * each * turns, lists, lists)


def _dev_size(training: Training, text: Size) -> tuple[int, float]:
    """Sentences of the dev set and their source words; of one that is held out, about so many."""
    if training.dev_source is None:
        lines = training.options.tune.dev_size or usual_size(text.pairs)
        return lines, text.words / 2 / max(text.pairs, 1) * lines
    sizes = [about_words(line) for line in read_lines(training.dev_source)]
    return len(sizes), sum(sizes)


def _mono_words(training: Training) -> float:
    """Words of the monolingual text."""
    texts = map(iter_lines, training.options.lm.mono)
    return float(sum(about_words(line) for text in texts for line in text))


def _size(training: Training) -> Size:
    """Of the training text, the words from a sample."""
    stream = training.corpora.read_in_turn()
    sample = list(islice(stream, SAMPLE))
    pairs = len(sample) + sum(1 for _ in stream)
    words = sum(about_words(one) + about_words(other) for one, other in sample)
    return Size(pairs, words / max(len(sample), 1) * pairs)
