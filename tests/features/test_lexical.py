"""Which lexical features there are."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.features import LexicalFeatures, LexicalModel, SideClasses


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


def entries(model):
    keys, weights = model.entries()
    return keys.tobytes(), weights.tobytes()


def test_a_model_travels_learned_or_not(tmp_path):
    model = LexicalFeatures(min_count=2).build(SideClasses(), SideClasses())
    keys = np.arange(1, 400, dtype=np.uint64) << np.uint64(52)
    for _ in range(2):
        model.native.add(keys, np.linspace(-1, 1, len(keys), dtype=np.float32))
    averaged = LexicalModel(model.native.averaged(1.0), model.meta)
    for one in (model, averaged):
        again = pickle.loads(pickle.dumps(one))
        assert entries(again) == entries(one)
        assert again.meta == one.meta
        # What was learned may be learned further, wherever it is.
        for each in (one, again):
            each.native.add(keys[:5], np.ones(5, np.float32))
        assert entries(LexicalModel(again.native.averaged(3.0), {})) == entries(
            LexicalModel(one.native.averaged(3.0), {})
        )
    averaged.save(tmp_path / "whole", resumable=True)
    assert entries(LexicalModel.load(tmp_path / "whole")) == entries(averaged)


# Hashes, and what no hash does: keys side by side at the ends of a shard, which is 2^56 of them.
KEYS = st.one_of(
    st.integers(1, 2**64 - 1),
    st.builds(
        lambda shard, place: min(max((shard << 56) + place, 1), 2**64 - 1),
        st.integers(0, 256),
        st.integers(-60, 60),
    ),
)


@given(st.lists(st.dictionaries(KEYS, st.integers(-3, 3), max_size=300), max_size=4), KEYS)
def test_weights_are_those_that_were_added_whatever_the_keys(batches, absent):
    model, wanted = LexicalFeatures().build(SideClasses(), SideClasses()), {}
    for batch in batches:
        model.native.add(
            np.array(list(batch), np.uint64), np.array(list(batch.values()), np.float32)
        )
        for key, change in batch.items():
            wanted[key] = wanted.get(key, 0) + change
    for one in (model, pickle.loads(pickle.dumps(model))):
        keys, weights = one.entries()
        assert dict(zip(keys.tolist(), weights.tolist(), strict=True)) == wanted
        assert keys.tolist() == sorted(wanted)
        for key in [absent, *wanted]:
            assert one.native.weight(key) == wanted.get(key, 0)
    keys, weights = LexicalModel(model.native.averaged(0.0), {}).entries()
    assert dict(zip(keys.tolist(), weights.tolist(), strict=True)) == {
        key: weight for key, weight in wanted.items() if weight
    }


def test_a_thousand_keys_side_by_side_have_room_at_the_end_of_a_shard():
    model = LexicalFeatures().build(SideClasses(), SideClasses())
    keys = np.arange(2**57 - 1000, 2**57, dtype=np.uint64)
    model.native.add(keys[::-1].copy(), np.arange(1000, 0, -1).astype(np.float32))
    assert [model.native.weight(int(key)) for key in keys] == list(range(1, 1001))
    assert model.native.memory < 200_000
