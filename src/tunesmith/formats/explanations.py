"""Explanations for people and for programs."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tunesmith.base.explanation import ExplainedStep, Explanation, differences

# Lexical features of a step that are shown.
LEXICAL_SHOWN = 3
# The least difference of two translations that is shown.
SHOWN = 0.0005


def explanation_text(explanation: Explanation) -> str:
    """Rules in the order of the translation, and what features add, the largest first."""
    lines = [
        f"[{explanation.number}] {explanation.source}",
        f"  → {explanation.translation}",
        f"  score {explanation.score:.3f}",
        *(
            f"  unknown: {one.source}"
            + (", copied" if one.seen == one.source else f" → {one.seen} ({one.reason})")
            for one in explanation.unknown
        ),
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


def alternatives_text(explanations: Sequence[Explanation], against: int = 1) -> str:
    """Other translations beside the first, and why that one is before one of them.

    `against` is the place of that one, from 0; the last one if there are fewer.
    """
    first, *others = explanations
    if not others:
        return "  no other translation"
    lines = ["  other translations", f"     {'score':>10}{'behind':>10}"]
    for place, other in enumerate(others, 2):
        behind = first.score - other.score
        lines.append(f"  {place:>3}{other.score:>10.3f}{behind:>10.3f}  {other.translation}")
    other = explanations[min(against, len(others))]
    name = f"{min(against, len(others)) + 1}"
    lines.append(f"  why 1 is before {name}")
    for number, (one, beside) in (("1", (first, other)), (name, (other, first))):
        theirs = Counter(map(_pair, _steps(beside)))
        own = list(Counter(map(_pair, _steps(one))) - theirs)
        if own:
            lines.append(f"    only {number}: {'; '.join(own)}")
    lines.append(f"    {'feature':<32}{'adds to 1':>10}{f'to {name}':>10}{'1 gains':>10}")
    found = [one for one in differences(first, other) if abs(one.difference) >= SHOWN]
    lines += [
        f"    {one.name:<32}{one.first:>10.3f}{one.second:>10.3f}{one.difference:>+10.3f}"
        for one in found
    ]
    total = first.score - other.score
    if rest := round(total - sum(one.difference for one in found), 3) + 0.0:
        lines.append(f"    {'rest':<52}{rest:>+10.3f}")
    lines.append(f"    {'sum':<32}{first.score:>10.3f}{other.score:>10.3f}{total:>+10.3f}")
    return "\n".join(lines)


def explanation_json(explanation: Explanation, others: Sequence[Explanation] | None = None) -> str:
    """All of it as a JSON object on one line; the names are those of the fields.

    Other translations are in the same form in its list `alternatives`, if they are given.
    """
    more = {} if others is None else {"alternatives": [asdict(other) for other in others]}
    return json.dumps({**asdict(explanation), **more}, ensure_ascii=False)


def _steps(explanation: Explanation) -> Iterator[ExplainedStep]:
    return (step for _, step in explanation.walk())


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
