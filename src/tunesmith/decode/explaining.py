"""Explanations of derivations: words for numbers, and what tables and weights say."""

import math
from collections.abc import Mapping, Sequence

from tunesmith.base.derivation import Derivation, DerivationStep
from tunesmith.base.errors import OptionError
from tunesmith.base.explanation import (
    ExplainedFeature,
    ExplainedStep,
    ExplainedUnknown,
    Explanation,
)
from tunesmith.base.weights import Weights
from tunesmith.decode.base import ModelDecoder
from tunesmith.decode.lexical_names import derivation_features
from tunesmith.decode.sentence import SourceSentence
from tunesmith.model import TranslationModel
from tunesmith.model.files import LEXICAL_FEATURE
from tunesmith.model.kinds import numbered

# Of a tree: what is nested deeper is read by nobody, JSON parsers among them.
MAX_DEPTH = 100


def explain(
    derivation: Derivation,
    decoder: ModelDecoder,
    weights: Weights,
    sentence: SourceSentence,
    translation: str,
    number: int = 0,
) -> Explanation:
    """What the decoder's model says of one of its derivations, and what each feature adds.

    Parameters
    ----------
    weights
        Those of the search.
    sentence, number
        What was translated, and which sentence of the text that is.
    translation
        As it is shown: without the model's tokens.
    """
    if (depth := derivation.depth) > MAX_DEPTH:
        raise OptionError(
            f"sentence {number + 1}: {depth:,} rules one inside the other, expected at most "
            f"{MAX_DEPTH} to explain; lower the span limit"
        )
    own: Sequence[Mapping[str, float]] = [{}] * len(derivation.steps)
    if decoder.model.lexical is not None:
        own = derivation_features(decoder, sentence, derivation)
    target = derivation.text.split(" ")

    def explained(step: DerivationStep, features: Mapping[str, float]) -> ExplainedStep:
        scores, together, seen = _evidence(decoder.model, step)
        logarithms = [scores[name] for name in scores if name.endswith(".p_e_given_f")]
        children = step.children
        return ExplainedStep(
            source=_side(
                sentence.words, step.begin, step.end, [(one.begin, one.end) for one in children]
            ),
            target=_side(
                target,
                step.target_begin,
                step.target_end,
                [(one.target_begin, one.target_end) for one in children],
            ),
            span=(step.begin, step.end),
            in_table=step.rule >= 0,
            probability=math.exp(logarithms[0]) if logarithms else None,
            together=together,
            seen=seen,
            scores=scores,
            features=features,
            children=tuple(explained(child, {}) for child in children),
        )

    dense = set(decoder.names)
    return Explanation(
        number=number,
        source=" ".join(sentence.words),
        translation=translation,
        score=derivation.score,
        steps=tuple(map(explained, derivation.steps, own)),
        features=tuple(
            ExplainedFeature(
                name, derivation.features[name], weights.get(name, 0.0), adds, name in dense
            )
            for name, adds in derivation.contributions(weights).items()
        ),
        unknown=explained_unknown(sentence),
        lexical_weight=None if decoder.model.lexical is None else weights.get(LEXICAL_FEATURE, 0.0),
    )


def explained_unknown(sentence: SourceSentence) -> tuple[ExplainedUnknown, ...]:
    """The unknown words of a sentence and what was translated in their place."""
    return tuple(
        ExplainedUnknown(
            one.word, " ".join(one.words), one.reason, (one.place, one.place + len(one.words))
        )
        for one in sentence.unknown
    )


def _side(words: Sequence[str], begin: int, end: int, gaps: Sequence[tuple[int, int]]) -> str:
    """The words [begin, end), with ``[i]`` in the place of those of child i, from 1."""
    shown: list[str] = []
    for first, last, number in sorted((*gap, i) for i, gap in enumerate(gaps, 1)):
        shown += [*words[begin:first], f"[{number}]"]
        begin = last
    return " ".join([*shown, *words[begin:end]])


def _evidence(
    model: TranslationModel, step: DerivationStep
) -> tuple[dict[str, float], float, float]:
    """The scores of a rule, how often its sides were seen together, and the source side alone."""
    if step.rule < 0 or not model.tables:  # what a grammar knows of its rules is in their features
        return {}, 0.0, 0.0
    table = model.rule_tables[step.table]
    names = table.meta["scores"]
    if step.table < len(model.tables):  # in the table of a layer they are the model's features
        names = [f"{numbered('tm', step.table)}.{name}" for name in names]
    _, seen, together = table.native.counts(step.rule)
    return dict(zip(names, table.native.scores(step.rule), strict=True)), together, seen
