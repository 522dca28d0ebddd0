"""What a training run will do and what it will cost, before anything is done."""

from itertools import islice

from tunesmith.corpus.unspaced import about_words
from tunesmith.formats.text import iter_lines, read_lines
from tunesmith.train.held_out import usual_size
from tunesmith.train.pipeline import Training

# CPU seconds, megabytes of memory and megabytes of disk for a million words (both sides together).
# Seconds of the `FITTED` stages are those of a text of `USUAL_WORDS`, and grow with it: they are
# within a factor of two of what each took on Multi30k (29k pairs) and Europarl de-en (10k), and all
# together on Europarl es-en (100k). Others are orders of magnitude.
COSTS = {
    "corpus": (7.0, 30.0, 12.0),
    "align": (9.0, 60.0, 6.0),
    "mono": (2.2, 150.0, 60.0),
    "lm": (0.8, 70.0, 50.0),
    "lm2": (2.5, 110.0, 60.0),
    "phrases": (7.0, 190.0, 330.0),
    "grammar": (2.0, 60.0, 25.0),
    "folds": (90.0, 200.0, 800.0),
    "learn": (1100.0, 400.0, 300.0),
    "reorder": (20.0, 150.0, 150.0),
    "features": (3.0, 300.0, 130.0),
}
# Of hierarchical models: rules of a fold take more room than phrases, and a chart more time.
HIERO_COSTS = {"folds": (200.0, 500.0, 2600.0), "learn": (3000.0, 2500.0, 100.0)}
# Seconds of search for a million words and one iteration, megabytes of k-best lists for a
# thousand dev sentences.
SEARCH_SECONDS, HIERO_SECONDS, POOL_MB = 260.0, 1000.0, 120.0
# These take longer for a word of a longer text.
FITTED, USUAL_WORDS, GROWTH = ("corpus", "align", "lm", "phrases"), 5e6, 0.25
# What text that is tokenised takes of the time to prepare it.
TOKENISED_SHARE = 0.2
SAMPLE = 20_000
# Times the dev set is decoded before tuning gains no more, to which patience is added.
GAINING_TURNS = 4


def plan(training: Training) -> str:
    """A table: stage, whether it is kept, estimates of CPU time, memory and disk."""
    pairs, words = _size(training)
    rows = [("stage", "state", "CPU s", "memory MB", "disk MB")]
    again, hiero = False, training.options.model == "hiero"
    known = {**COSTS, **HIERO_COSTS} if hiero else COSTS
    iterations = {
        "tune": training.options.tune.iterations,
        "retune": training.options.learn.retune,
    }
    patience = training.options.tune.patience
    for name, stage in training.stages.items():
        again = again or name == training.from_stage
        state = "kept" if stage.is_done(training.work) and not again else "to do"
        if name in ("tune", "retune"):
            dev_lines, dev_words = _dev_size(training, pairs, words)
            each = HIERO_SECONDS if hiero else SEARCH_SECONDS
            turns = iterations[name] + 1
            if patience:
                turns = min(turns, GAINING_TURNS + patience)
            seconds = dev_words / 1e6 * each * turns
            memory = disk = POOL_MB * dev_lines / 1000
        else:
            costs = known.get(name) or known[name.removesuffix("2")]
            own = _mono_words(training) if name == "mono" else words
            seconds, memory, disk = (cost * own / 1e6 for cost in costs)
            if name.removesuffix("2") in FITTED:
                seconds *= (words / USUAL_WORDS) ** GROWTH
            if name == "corpus" and set(training.options.text.tokenizers) == {"none"}:
                seconds *= TOKENISED_SHARE
        rows.append((name, state, f"{seconds:,.0f}", f"{memory + 100:,.0f}", f"{disk:,.0f}"))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    table = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    return f"about {pairs:,} pairs, {words / 1e6:.1f} million words\n{table}"


def _dev_size(training: Training, pairs: int, words: float) -> tuple[int, float]:
    """Sentences of the dev set and their source words; of one that is held out, about so many."""
    if training.dev_source is None:
        lines = training.options.tune.dev_size or usual_size(pairs)
        return lines, words / 2 / max(pairs, 1) * lines
    sizes = [about_words(line) for line in read_lines(training.dev_source)]
    return len(sizes), sum(sizes)


def _mono_words(training: Training) -> float:
    """Words of the monolingual text."""
    texts = map(iter_lines, training.options.lm.mono)
    return float(sum(about_words(line) for text in texts for line in text))


def _size(training: Training) -> tuple[int, float]:
    """Pairs and words (both sides), the words from a sample."""
    stream = training.corpora.read_in_turn()
    sample = list(islice(stream, SAMPLE))
    pairs = len(sample) + sum(1 for _ in stream)
    words = sum(about_words(one) + about_words(other) for one, other in sample)
    return pairs, words / max(len(sample), 1) * pairs
