"""Sessions: what one search has prepared serves the next, and changes nothing."""

import resource
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.tiny_models import SOURCE, random_model
from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.decode import Graphs, KBest, SearchOptions, open_decoder


def sentences(chance, count=6):
    return [" ".join(chance.choice(list(SOURCE), 8)) for _ in range(count)]


def same(one, other):
    return one.texts == other.texts and one.features.tobytes() == other.features.tobytes()


@given(seed=st.integers(0, 100_000))
@settings(max_examples=10)
def test_a_warm_session_finds_what_a_new_one_finds(seed, tmp_path_factory):
    model, _, chance = random_model(seed, tmp_path_factory.mktemp("m") / "f")
    decoder = open_decoder(model, search=SearchOptions(pop_limit=15), engine=2)
    weights = Weights({name: float(chance.normal()) for name in decoder.names})
    session = decoder.session(weights)
    texts = sentences(chance)
    for part in (texts[:3], texts[3:], texts):
        assert same(
            session.decode(part, want=KBest(5)), decoder.decode(part, weights, want=KBest(5))
        )
    assert (
        session.decode(texts, want=Graphs()).edges
        == decoder.decode(texts, weights, want=Graphs()).edges
    )


def test_several_threads_share_a_session(tmp_path):
    model, _, chance = random_model(3, tmp_path / "f")
    session = open_decoder(model, engine=1).session()
    texts = sentences(chance, 30)
    alone = session.decode(texts, want=KBest(3))
    with ThreadPoolExecutor(4) as threads:
        for output in threads.map(lambda _: session.decode(texts, want=KBest(3)), range(8)):
            assert same(output, alone)


def test_weights_are_checked_when_a_session_is_opened(tmp_path):
    decoder = open_decoder(random_model(3, tmp_path / "f")[0])
    with pytest.raises(OptionError, match="which is no feature of the model"):
        decoder.session(Weights({"nothing": 1.0}))


def resident_megabytes():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def test_phrases_that_no_table_has_take_no_memory(tmp_path):
    model, _, chance = random_model(3, tmp_path / "f")
    session = open_decoder(model, search=SearchOptions(pop_limit=1), engine=1).session()

    def translate(count):
        session.decode([" ".join(chance.choice(list("abc"), 100)) for _ in range(count)])

    translate(500)
    before = resident_megabytes()
    for _ in range(8):  # 400,000 words; phrases that were never seen begin at each
        translate(500)
    assert resident_megabytes() - before < 20
