import pytest
from hypothesis import given
from hypothesis import strategies as st

from tunesmith.align import Links, alignment_quality
from tunesmith.base.errors import OptionError
from tunesmith.cli.main import main
from tunesmith.formats.pharaoh import parse_links

links = st.sets(st.tuples(st.integers(0, 5), st.integers(0, 5)))


def pharaoh(sure, possible):
    return " ".join([f"{i}-{j}" for i, j in sure] + [f"{i}p{j}" for i, j in possible]) + "\n"


@given(st.lists(st.tuples(links, links, links), max_size=4))
def test_equals_the_definition(pairs):
    gold = parse_links("".join(pharaoh(sure, possible) for _, sure, possible in pairs))
    quality = alignment_quality(Links.from_lists(a for a, _, _ in pairs), gold)
    a = {(n, link) for n, (found, _, _) in enumerate(pairs) for link in found}
    s = {(n, link) for n, (_, sure, _) in enumerate(pairs) for link in sure}
    p = s | {(n, link) for n, (_, _, possible) in enumerate(pairs) for link in possible}
    if a or s:
        assert quality.aer == pytest.approx(1 - (len(a & s) + len(a & p)) / (len(a) + len(s)))
    if a:
        assert quality.precision == pytest.approx(len(a & p) / len(a))
    if s:
        assert quality.recall == pytest.approx(len(a & s) / len(s))


def test_a_published_example():
    # Jurafsky and Martin, Speech and Language Processing, 3rd edition, exercise of ch. 13:
    # A = {1-1, 2-2, 3-3}, S = {1-1, 3-4}, P = S and {2-2, 3-3}: AER = 1 - (1 + 3) / (3 + 2).
    quality = alignment_quality(parse_links("1-1 2-2 3-3\n"), parse_links("1-1 3-4 2p2 3p3\n"))
    assert quality.aer == pytest.approx(0.2)


def test_unequal_numbers():
    with pytest.raises(OptionError, match="links of 1 sentence pairs and gold of 2"):
        alignment_quality(parse_links("0-0\n"), parse_links("0-0\n1-1\n"))


def test_command(tmp_path, capsys):
    (tmp_path / "gold").write_text("0-0 1p1\n2-2\n")
    (tmp_path / "out").write_text("0-0 1-1\n2-1\n0-0\n")
    gold, out = str(tmp_path / "gold"), str(tmp_path / "out")
    assert main(["aer", "--gold", gold, "--first", out]) == 0
    row = capsys.readouterr().out.splitlines()[1].split()
    assert row == ["0.4000", "0.6667", "0.5000", "0.5714", "3", "2", out]
    assert main(["aer", "--gold", gold, out]) == 2
    message = capsys.readouterr().err
    assert message == (
        f"tunesmith aer: {out}: 3 lines, expected 2 as in {gold}; "
        "give --first if the gold covers the first lines only\n"
    )
