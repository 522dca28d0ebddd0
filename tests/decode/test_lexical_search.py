"""Search with lexical features that see the rule before."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.tiny_lexical import taught, with_weights
from reference.tiny_models import SOURCE, random_model
from tunesmith.decode import SearchOptions
from tunesmith.decode.phrase import PhraseDecoder


@given(seed=st.integers(0, 100_000))
@settings(max_examples=20)
def test_what_may_still_be_praised_is_not_discarded(seed, tmp_path_factory):
    """A pair of rules may raise a candidate above the beam's threshold, so nothing is discarded."""
    folder = tmp_path_factory.mktemp("m")
    model, _, chance = random_model(seed, folder / "f")
    model, twin = taught(model, chance, folder / "m", edges=False, rule_ids=False, rule_pairs=True)
    rules = [(rule.source.split(), rule.target.split()) for rule in model.tables[0]]
    pairs = [twin.history(*b, a, None, None) for a in (None, *rules) for b in rules]
    keys = sorted({key for features in pairs for key in features.values()})
    model = with_weights(model, {key: chance.normal(0, 5) for key in keys}, folder / "n")
    sentences = [" ".join(chance.choice(list(SOURCE), 5)) for _ in range(5)]
    limits = {"pop_limit": 10_000, "stack_size": 10_000, "beam_threshold": 0.5}
    kept, early = (
        PhraseDecoder(model, search=SearchOptions(**limits, early_discarding=on), engine=1).decode(
            sentences
        )
        for on in (False, True)
    )
    assert early.texts == kept.texts
    np.testing.assert_array_equal(early.scores, kept.scores)
    assert early.discarded.sum() == 0
