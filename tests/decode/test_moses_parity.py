"""Moses' own n-best lists: each line is one of our derivations, value for value."""

import numpy as np
import pytest

from reference.moses_features import UNKNOWN, moses_vector
from reference.moses_nbest import parse_moses, unpack
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.formats.text import read_lines
from tunesmith.model.moses import import_moses

# Derivations looked at for each line; Moses' own is at most the 61st by our count.
SIZE = 200


@pytest.fixture(scope="module")
def models(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    return {name: import_moses(data.moses_ini(name), folder / name) for name in ("mert", "kbmira")}


@pytest.mark.parametrize("weights", ["mert", "kbmira"])
@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("test_2016.{}.1best", {"mert": 1000, "kbmira": 1000}),
        pytest.param(
            "test_2016.first100.{}.100best",
            {"mert": 7775, "kbmira": 7211},
            marks=pytest.mark.slow,
        ),
    ],
)
def test_every_line_of_moses_is_a_derivation_of_ours(weights, name, lines, models, data):
    """The 14 values to one unit of the last printed digit, of which there are six."""
    source = read_lines(data / "multi30k/test_2016.de")
    text = unpack(data / f"moses-model/expected/{name.format(weights)}.nbest.xz")
    rows = parse_moses(text)
    totals = [float(line.split(" ||| ")[3]) for line in text.splitlines()]
    assert len(rows) == lines[weights]
    decoder = PhraseDecoder(models[weights], engine=2)
    output = decoder.force(
        [source[number] for number, _, _ in rows], [words for _, words, _ in rows], size=SIZE
    )
    missed = []
    for i, (number, words, features) in enumerate(rows):
        begin, end = output.offsets[i : i + 2]
        expected = np.array(moses_vector(features))
        ours = np.delete(output.features[begin:end], UNKNOWN, axis=1)
        # One unit of the last of six printed digits: half of it is the printing, the rest is
        # that Moses sums in single precision, as is the floor for values near 0.
        digits = np.floor(np.log10(np.maximum(np.abs(expected), 1e-9)))
        tolerance = np.maximum(10.0 ** (digits - 5), 2e-6) + 1e-9
        same = (np.abs(ours - expected) <= tolerance).all(axis=1)
        scores = output.scores[begin:end][same]
        if not np.isclose(scores, totals[i], rtol=1e-5, atol=1e-4).any():
            missed.append((number, words))
    assert missed == []
