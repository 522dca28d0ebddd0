import pytest
from hypothesis import given
from hypothesis import strategies as st

from reference.symmetrise import symmetrise as obvious
from tunesmith.align import METHODS, Links, symmetrise
from tunesmith.base.errors import OptionError
from tunesmith.formats.pharaoh import read_links

links = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14)


@given(pairs=st.lists(st.tuples(links, links), max_size=4), method=st.sampled_from(METHODS))
def test_equals_the_obvious_way(pairs, method):
    forward = Links.from_lists(f for f, _ in pairs)
    reverse = Links.from_lists(r for _, r in pairs)
    found = symmetrise(forward, reverse, method)
    assert list(found) == [sorted(obvious(f, r, method)) for f, r in pairs]
    assert found == symmetrise(forward, reverse, method, engine=1)


@pytest.fixture(scope="module")
def multi30k(data):
    folder = data / "alignments-multi30k"
    return {
        name: read_links(folder / f"{file}.gz")
        for name, file in [
            ("forward", "fwd.align"),
            ("reverse", "rev.align"),
            ("expected", "aligned.grow-diag-final-and"),
        ]
    }


def test_gives_the_links_of_atools_on_multi30k(multi30k):
    found = symmetrise(multi30k["forward"], multi30k["reverse"], "grow-diag-final-and")
    assert len(found) == 29000
    assert list(found) == [sorted(pair) for pair in multi30k["expected"]]


def test_each_method_contains_the_one_before(multi30k):
    methods = ("intersection", "grow", "grow-diag", "grow-diag-final-and", "union")
    found = [symmetrise(multi30k["forward"], multi30k["reverse"], method) for method in methods]
    sizes = [len(links.source) for links in found]
    assert sizes == sorted(set(sizes))
    assert all(set(few) <= set(many) for few, many in zip(found[0], found[4], strict=True))
    diag_and = symmetrise(multi30k["forward"], multi30k["reverse"], "diag-and")
    assert all(set(few) <= set(many) for few, many in zip(found[2], diag_and, strict=True))


def test_messages():
    one, two = Links.from_lists([[(0, 0)]]), Links.from_lists([[], []])
    with pytest.raises(OptionError, match="1 forward and 2 reverse sentence pairs, expected equal"):
        symmetrise(one, two)
    with pytest.raises(OptionError, match="symmetrisation 'growl', expected one of: forward, rev"):
        symmetrise(one, one, "growl")
