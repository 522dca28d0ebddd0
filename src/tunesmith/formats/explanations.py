"""Explanations for people and for programs."""

import json
from collections.abc import Iterator
from dataclasses import asdict

from tunesmith.base.explanation import ExplainedStep, Explanation

# Lexical features of a step that are shown.
LEXICAL_SHOWN = 3


def explanation_text(explanation: Explanation) -> str:
    """Rules in the order of the translation, and what features add, the largest first."""
    lines = [
        f"[{explanation.number}] {explanation.source}",
        f"  → {explanation.translation}",
        f"  score {explanation.score:.3f}",
    ]
    for depth, step in explanation.walk():
        lines.append(f"    {'  ' * depth + _pair(step):<50} {_evidence(step)}".rstrip())
    lines.append(f"    {'feature':<32}{'value':>10}{'weight':>10}{'adds':>10}")
    silent = 0
    for one in sorted(explanation.features, key=lambda one: -abs(one.adds)):
        if one.dense or one.adds:
            numbers = f"{one.value:>10.3f}{one.weight:>10.4f}{one.adds:>10.3f}"
            lines.append(f"    {one.name:<32}{numbers}")
        else:
            silent += 1
    if silent:
        lines.append(f"    and {silent} sparse features of weight 0")
    if explanation.lexical_weight is not None:
        lines.append(f"    {'lexical features':<62}{'adds':>10}")
        for depth, step in explanation.walk():
            lines += _lexical(step, depth, explanation.lexical_weight)
    return "\n".join(lines)


def explanation_json(explanation: Explanation) -> str:
    """All of it as a JSON object on one line; the names are those of the fields."""
    return json.dumps(asdict(explanation), ensure_ascii=False)


def _pair(step: ExplainedStep) -> str:
    return f"{step.source} → {step.target}"


def _evidence(step: ExplainedStep) -> str:
    """What training has seen of a rule."""
    if not step.in_table:
        return "(not in the table)"
    p = "" if step.probability is None else f"p = {step.probability:.3f}"
    return f"{p}, {step.together:.0f} of {step.seen:.0f}" if step.seen else p


def _lexical(step: ExplainedStep, depth: int, scale: float) -> Iterator[str]:
    """The lexical features that say most about a step, and what all of them add."""
    weights = step.features
    yield f"    {'  ' * depth + _pair(step):<62}{scale * sum(weights.values()):>10.4f}"
    largest = sorted(weights, key=lambda name: (-abs(weights[name]), name))
    for name in largest[:LEXICAL_SHOWN]:
        yield f"      {name:<60}{scale * weights[name]:>10.4f}"
    if len(largest) > LEXICAL_SHOWN:
        yield f"      and {len(largest) - LEXICAL_SHOWN} others"
