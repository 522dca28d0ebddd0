"""Joined tables by their definition: a phrase pair is one rule with the scores of all tables."""

from dataclasses import replace


def joined_rules_of(tables, floor):
    """What `all_derivations` takes: source words → rules, each target once."""

    def rules_of(phrase):
        found = {}
        for number, table in enumerate(tables):
            for rule in table.rules(phrase):
                found.setdefault(rule.target, {})[number] = rule
        return [
            replace(
                next(iter(rules.values())),
                scores=tuple(
                    score
                    for number in range(len(tables))
                    for score in (rules[number].scores if number in rules else [floor] * 4)
                ),
            )
            for rules in found.values()
        ]

    return rules_of
