"""`train --filter`: pairs that match no better than random ones get no links."""

from types import SimpleNamespace

import numpy as np
import pytest

from tunesmith.align.mismatch import PairMatches
from tunesmith.corpus import Bitext, phrasebook
from tunesmith.formats.pharaoh import Links
from tunesmith.train import TrainOptions
from tunesmith.train.stages import align


@pytest.mark.parametrize("is_on", [False, True])
def test_the_worst_pairs_get_no_links(tmp_path, monkeypatch, is_on):
    pairs = phrasebook.sample(40, seed=1)
    bitext = Bitext.from_lines([one.source for one in pairs], [one.target for one in pairs])
    asked = []

    def matches(text, *, engine, wants_all):
        asked.append((len(text), wants_all))
        return PairMatches(np.where(np.arange(40) % 10 == 3, -1.0, 1.0), 0.1)

    monkeypatch.setattr(align, "warn_of_mismatch", matches)
    options = TrainOptions(filter=is_on)
    place = SimpleNamespace(
        options=options, engine=1, bitext=lambda: bitext, key=lambda stage: stage
    )
    stage = align.Align(place)
    stage.write(tmp_path)
    links = Links.load(tmp_path / "links.bin")
    assert asked == [(40, is_on)]
    assert (not any(links[number] for number in (3, 13, 23, 33))) == is_on
    assert sum(bool(one) for one in links) >= 30
    assert ("filter" in stage.inputs()) == is_on
