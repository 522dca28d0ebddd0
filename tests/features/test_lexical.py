"""Which lexical features there are."""

from tunesmith.features import LexicalFeatures, SideClasses


def test_the_budget_alone_limits_combinations():
    """Table 1 of the paper: Chinese words have two levels more than English ones."""
    side = SideClasses({"a": "00000000"}, {"a": "N"})
    features = LexicalFeatures(
        levels="word,cluster,cluster6,cluster4,pos", source_levels="character,type", max_atoms=0,
        source_edges=True, rule_ids=False,
    )  # fmt: skip
    costs = {"source": [5, 3, 2, 2, 3, 2, 1], "target": [5, 3, 2, 2, 2]}
    ways = {0: 1}  # cost → combinations
    for place in ("source",) * 4 + ("target",) * 2:
        ways = {
            total: ways.get(total, 0) + sum(ways.get(total - cost, 0) for cost in costs[place])
            for total in range(11)
        }
    assert features.build(side, side).features_per_rule == 2 * sum(ways.values()) - 1
