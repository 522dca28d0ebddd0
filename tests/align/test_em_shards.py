"""EM over shards: the same bytes however many there are, wherever they are worked on."""

import pytest

from reference.shard_engines import ENGINES, ShardEngine
from tunesmith import _core
from tunesmith.align import Aligner
from tunesmith.align.em import text_arrays
from tunesmith.base.errors import OptionError
from tunesmith.corpus import Bitext, phrasebook

OPTIONS = {
    "agreeing": {"ibm1": 2, "hmm": 2},
    "apart": {"ibm1": 1, "hmm": 1, "agreement": False},
    "diagonal": {"ibm1": 1, "ibm2": 2, "hmm": 0},
}


@pytest.fixture(scope="module")
def text():
    """Long lines, so that there are blocks enough for seven shards."""
    pairs = phrasebook.sample(2400, seed=3)
    together = [pairs[begin : begin + 12] for begin in range(0, len(pairs), 12)]
    sides = ([" ".join(getattr(p, side) for p in line) for line in together] for side in SIDES)
    return Bitext.from_lines(*sides)


SIDES = ("source", "target")


def trainer_of(text):
    source, target = text_arrays(text)[:2], text_arrays(text)[2:]
    words = [len(side.vocabulary) for side in (text.source, text.target)]
    return _core.AlignmentTrainer(*source, words[0], *target, words[1], 200, 1)


def test_there_are_blocks_for_all(text):
    assert trainer_of(text).blocks >= 7


@pytest.mark.parametrize("name", OPTIONS)
def test_the_same_bytes(name, text, tmp_path):
    engines = ENGINES if name == "agreeing" else ENGINES[:-1]
    models, histories = set(), []
    for number, engine in enumerate(engines):
        aligner = Aligner(engine=engine, **OPTIONS[name]).fit(text)
        aligner.save(tmp_path / f"{number}.align")
        models.add((tmp_path / f"{number}.align").read_bytes())
        histories.append(aligner.history_)
    assert len(models) == 1
    assert all(history == histories[0] for history in histories)


def test_nothing_is_left_behind(text, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    Aligner(engine=ShardEngine(2), ibm1=1, hmm=1).fit(text)
    assert list(tmp_path.iterdir()) == []


def test_parts_that_do_not_fit_are_refused(text):
    trainer = trainer_of(text)
    trainer.start()
    options = _core.AlignmentStep(0.2, True, "none", 0.3, 1)
    with pytest.raises(OptionError, match="blocks that the text does not have"):
        trainer.normalisers(options, 0, 33)
    part = trainer.normalisers(options, 0, 5)
    with pytest.raises(OptionError, match="words or normalisers that the text does not have"):
        trainer.rows(part, options, 0, 1)
    with pytest.raises(OptionError, match="blocks that the text does not have"):
        trainer.expect(options, 2, 1)
    counts = trainer.expect(options, 0, 1)
    trainer.prune(0.01)
    with pytest.raises(OptionError, match="counts of another lexicon"):
        trainer.maximise([counts], options)
    with pytest.raises(OptionError, match="no counts"):
        trainer.maximise([], options)
