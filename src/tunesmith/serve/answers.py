"""What is said of a translated sentence, as JSON values (docs/serve.md has all names)."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tunesmith.base.derivation import DerivationStep
from tunesmith.base.explanation import ExplainedStep
from tunesmith.corpus.lines import split
from tunesmith.decode.explaining import explained_unknown
from tunesmith.decode.model_terms import ModelTerms
from tunesmith.decode.protection import layout, made_terms
from tunesmith.decode.sentence import SourceSentence
from tunesmith.decode.translate import Block

Json = dict[str, Any]


def sentence_answer(source: str, block: Block, *, alternatives: bool, explain: bool) -> Json:
    """The translation of the only sentence of a block; `source` is what the client sent."""
    answer: Json = {
        "source": source,
        "tokens": source_tokens(block.source(0)),
        "translation": block.texts[0],
        "alternatives": [],
    }
    if explain:
        answer["unknown"] = [asdict(one) for one in explained_unknown(block.source(0))]
    if alternatives or explain:
        for rank, text in enumerate(block.running_texts(0)):
            answer["alternatives"].append(_alternative(block, rank, text, explain=explain))
    return answer


def _alternative(block: Block, rank: int, text: str, *, explain: bool) -> Json:
    row = int(block.output.offsets[0]) + rank
    derivation = block.output.derivation(row)
    sentence = block.source(0, rank)
    answer: Json = {
        "text": text,
        "tokens": target_tokens(sentence, derivation.text, block.output.steps(row)),
        "score": derivation.score,
        "features": {name: float(value) for name, value in derivation.features.items()},
    }
    if explain:
        steps = block.explanation(0, rank, text).steps
        answer["steps"] = [
            _step(said, done) for said, done in zip(steps, derivation.steps, strict=True)
        ]
    return answer


def source_tokens(sentence: SourceSentence) -> list[str]:
    """The words of a source as the model sees them, protected units as they were written."""
    words = list(sentence.words)
    for unit, place in sentence.places.items():
        assert sentence.line is not None
        words[place] = sentence.line.unit_texts()[unit]
    return words


def target_tokens(
    sentence: SourceSentence, text: str, steps: Sequence[DerivationStep]
) -> list[str]:
    """The words of a translation; units and terms as they are written, without tags."""
    words = split(text)
    for unit, word in layout(sentence, steps, len(words)):
        if unit >= 0 and word >= 0:
            words[word] = sentence.written[unit]
    for begin, end, term in made_terms(sentence, steps):
        words[begin:end] = term.tokens
    return words


def terms_answer(terms: ModelTerms | None) -> Json:
    """What a model makes of terms, and what of them has no effect."""
    if terms is None:
        return {"terms": [], "problems": []}
    return {
        "terms": [
            {"source": one.source, "target": one.target, "tokens": list(one.tokens)}
            for one in terms.entries
        ],
        "problems": terms.problems,
    }


def _step(said: ExplainedStep, done: DerivationStep) -> Json:
    rule: Json = {"source": said.source, "target": said.target, "in_table": said.in_table}
    if said.probability is not None:
        rule["probability"] = said.probability
    if said.seen:
        rule |= {"together": said.together, "seen": said.seen}
    if said.scores:
        rule["features"] = dict(said.scores)
    step: Json = {
        "source": [done.begin, done.end],
        "target": [done.target_begin, done.target_end],
        "rule": rule,
        "children": [_step(*pair) for pair in zip(said.children, done.children, strict=True)],
    }
    if said.features:
        step["features"] = dict(said.features)
    return step
