"""cdec's own lists: the same values for the same derivations, and a search that finds as much."""

import lzma
from itertools import pairwise

import numpy as np
import pytest

from tunesmith.decode.chart import ChartDecoder
from tunesmith.decode.want import KBest
from tunesmith.formats.text import read_lines
from tunesmith.grammar import ScfgGrammar
from tunesmith.model.cdec import LN10, import_cdec

#: cdec's mean score of the best translation at pop limit 200.
MEANS = {"mert": -1.76449, "pro": -1.12143}
#: How many of cdec's values make one of ours.
SCALES = {
    "Glue": ("glue", 1.0),
    "PassThrough": ("unknown", -1.0),
    "WordPenalty": ("word_penalty", LN10),
    "LanguageModel": ("lm", LN10),
    "LanguageModel_OOV": ("lm_unknown", -1.0),
}


def cdec_lists(path):
    """(sentence, text, values under our names, total) of every line."""
    for line in lzma.decompress(path.read_bytes()).decode().splitlines():
        sentence, text, features, total = line.split(" ||| ")
        values = {}
        for pair in features.split():
            name, _, value = pair.partition("=")
            ours, scale = SCALES.get(name, (f"tm.{name}", 1.0))
            values[ours] = float(value) * scale
        yield int(sentence), text, values, float(total)


@pytest.fixture(scope="module", params=["mert", "pro"])
def decoded(request, data, tmp_path_factory):
    folder = data / "cdec-model"
    source = read_lines(folder / "input.de")
    files = [folder / "grammars" / f"grammar.{i}.gz" for i in range(len(source))]
    model = import_cdec(
        folder / "cdec.ini",
        tmp_path_factory.mktemp("cdec") / "model",
        weights=folder / f"weights.{request.param}",
        grammars=files[:1],
    )
    session = (
        ChartDecoder(model).with_grammars([ScfgGrammar.read(path) for path in files]).session()
    )
    expected = list(
        cdec_lists(folder / "expected" / f"test_2016.first100.{request.param}.100best.xz")
    )
    return session.decode(source, KBest(300)), expected, MEANS[request.param]


def test_the_best_translations_score_at_least_as_high(decoded):
    output, _, mean = decoded
    assert output.scores[output.offsets[:-1]].mean() >= mean


def test_lines_of_cdec_are_in_our_lists_value_for_value(decoded):
    output, expected, _ = decoded
    rows = [
        {output.texts[i]: i for i in range(begin, end)}
        for begin, end in pairwise(output.offsets.tolist())
    ]
    missed = worse = equal = 0
    for sentence, text, values, total in expected:
        row = rows[sentence].get(text)
        if row is None:
            missed += 1
        elif output.scores[row] < total - 1e-4:
            worse += 1  # its best derivation of these words is beyond our beam
        elif output.scores[row] < total + 1e-4:
            equal += 1
            # cdec prints six digits of each value.
            theirs = np.array([values.get(name, 0.0) for name in output.names])
            np.testing.assert_allclose(output.features[row], theirs, rtol=1e-4, atol=1e-4)
    assert missed < 0.02 * len(expected), "below our lists, or beyond our beam"
    assert worse < 0.03 * len(expected)
    assert equal > 0.8 * len(expected), "in the others our derivation of the same words is better"
