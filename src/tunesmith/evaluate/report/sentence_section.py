"""Sentences that differ most, word by word."""

from tunesmith.evaluate.number_text import minus
from tunesmith.evaluate.report.parts import Example, LabelledWords, Paragraph, Part, SentencesPart
from tunesmith.evaluate.report.text_stats import TextStats, furthest, most_changed
from tunesmith.evaluate.report.word_difference import marked, words_of

#: Sentences of each kind that a report shows.
SENTENCES = 10
# Pairs of systems whose sentences are shown; those behind the first are folded.
_MOST_PAIRS = 6
_MISSING = "Words with a dotted line below are not in the reference at their place."
_CHANGED = "Marked words differ between the two systems."
_SCORES = (
    "A sentence's score is that of the metric for a single sentence, for BLEU with one more match "
    "in all orders but the first."
)


def sentence_parts(stats: list[TextStats], most: int) -> list[Part]:
    """Sentences behind a paragraph that says what their marks mean."""
    parts = [part for one in stats for part in _examples(one, most)]
    if not any(isinstance(part, SentencesPart) for part in parts):
        return parts
    outputs = [one.texts.outputs for one in stats]
    legend = [_MISSING, _SCORES]
    if any(len(systems) > 1 for systems in outputs):
        legend.insert(0, _CHANGED)
    if any(len(runs) > 1 for systems in outputs for runs in systems.values()):
        legend.append("Of a system with several runs the first is shown.")
    return [Paragraph(" ".join(legend)), *parts]


def _examples(stats: TextStats, most: int) -> list[Part]:
    """Sentences that changed most between the first system and each other, or a system's worst."""
    if not most:
        return []
    texts, names = stats.texts, list(stats.texts.outputs)
    if len(names) == 1:
        worst = [
            _example(stats, i, f"score {score:.1f}", names) for i, score in furthest(
                stats, names[0], most)
        ]  # fmt: skip
        return [SentencesPart(f"Furthest from their references, {texts.name}", worst)]
    base, parts = names[0], []
    for number, name in enumerate(names[1 : _MOST_PAIRS + 1]):
        for what, rows in zip(("gained", "lost"), most_changed(stats, base, name, most),
                              strict=True):  # fmt: skip
            examples = [
                _example(stats, i, minus(f"{change:+.1f} points"), [base, name])
                for i, change in rows
            ]
            if examples:
                caption = f"{texts.name}: {name} {what} most over {base}"
                parts.append(SentencesPart(caption, examples, folded=number > 0))
    return [*parts] or [Paragraph(f"No sentence of {texts.name} changed its score.")]


def _example(stats: TextStats, i: int, note: str, names: list[str]) -> Example:
    texts = stats.texts
    references = [lines[i] for lines in texts.references]
    lines = [] if texts.source is None else [LabelledWords("source", words_of(texts.source[i]))]
    lines += [LabelledWords("reference", words_of(line)) for line in references]
    outputs = [texts.outputs[name][0][i] for name in names]
    for name, output in zip(names, outputs, strict=True):
        other = next((one for one in outputs if one is not output), None)
        lines.append(LabelledWords(name, marked(output, references, other)))
    return Example(i + 1, note, lines)
