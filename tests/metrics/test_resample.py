"""Resampling: against sacreBLEU's tests on real outputs, and against all exchanges there are."""

import itertools
import lzma
from collections import defaultdict

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from sacrebleu.significance import PairedTest

from tunesmith.base.errors import OptionError
from tunesmith.evaluate import approximate_randomisation, compare_systems, paired_bootstrap
from tunesmith.metrics import Bleu, ChrF, Ter, Wer


@pytest.fixture(scope="module")
def wmt(data):
    """Three systems of WMT 2021 and a reference, 400 sentences."""
    folder = data / "rerank-wmt"
    outputs = defaultdict(dict)
    with lzma.open(folder / "newstest2021.de-en.cands.xz", "rt", encoding="utf-8") as file:
        for line in file:
            number, text, system = line.rstrip("\n").split(" ||| ")
            outputs[system][int(number)] = text
    with lzma.open(folder / "newstest2021.de-en.ref0.en.xz", "rt", encoding="utf-8") as file:
        reference = [line.rstrip("\n") for line in file][:400]
    systems = {name: [texts[i] for i in range(400)] for name, texts in sorted(outputs.items())[:3]}
    return systems, [reference]


def test_equals_sacrebleu_up_to_chance(wmt, monkeypatch):
    systems, references = wmt
    monkeypatch.setenv("SACREBLEU_SEED", "1")
    samples, trials = 4000, 4000
    peers = {
        kind: PairedTest(
            list(systems.items()),
            {"BLEU": sacrebleu.BLEU(), "chrF": sacrebleu.CHRF()},
            references,
            test_type=kind,
            n_samples=count,
        )()[1]
        for kind, count in (("bs", samples), ("ar", trials))
    }
    comparisons = compare_systems(
        systems,
        references,
        [Bleu(), ChrF()],
        bootstrap_samples=samples,
        randomisation_trials=trials,
        engine=2,
    )
    for comparison, name in zip(comparisons, ("BLEU", "chrF2"), strict=True):
        for row, bootstrap, exchanged in zip(
            comparison.systems, peers["bs"][name], peers["ar"][name], strict=True
        ):
            assert row.score == pytest.approx(bootstrap.score, abs=1e-6)
            assert row.mean == pytest.approx(bootstrap.mean, abs=0.1)
            assert (row.high - row.low) / 2 == pytest.approx(bootstrap.ci, rel=0.1)
            if bootstrap.p_value is not None:
                # Three standard deviations of a share of 4000, twice.
                assert row.bootstrap_p == pytest.approx(bootstrap.p_value, abs=0.05)
                assert row.randomisation_p == pytest.approx(exchanged.p_value, abs=0.05)


PAIRS = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n)] * 2)
)


@settings(max_examples=30)
@given(PAIRS)
def test_randomisation_approximates_all_exchanges(errors):
    """With few segments all 2^n exchanges can be enumerated."""
    first, second = (np.array([[e, 5] for e in row], dtype=np.int32) for row in errors)
    wer = Wer()
    seen = abs(wer.score(first.sum(axis=0)) - wer.score(second.sum(axis=0)))
    reached = []
    for mask in itertools.product([False, True], repeat=len(first)):
        swap = np.array(mask)[:, None]
        one, other = np.where(swap, second, first), np.where(swap, first, second)
        difference = abs(wer.score(one.sum(axis=0)) - wer.score(other.sum(axis=0)))
        reached.append(difference >= seen - 1e-9)
    result = approximate_randomisation(wer, first, second, trials=3000)
    assert result.p_value == pytest.approx(np.mean(reached), abs=0.05)
    assert abs(result.difference) == pytest.approx(seen)


def test_a_system_does_not_differ_from_itself(wmt):
    systems, references = wmt
    name, texts = next(iter(systems.items()))
    (comparison,) = compare_systems({name: texts, "again": texts}, references, [Bleu()])
    again = comparison.systems[1]
    assert (again.bootstrap_p, again.randomisation_p, again.wins) == (1.0, 1.0, 0.5)


def test_better_is_better_also_where_lower_is(wmt):
    systems, references = wmt
    texts = next(iter(systems.values()))
    worse = ["x " + text for text in texts]
    bleu, ter = compare_systems({"a": texts, "worse": worse}, references, [Bleu(), Ter()])
    for comparison in (bleu, ter):
        assert comparison.systems[1].wins < 0.05
        assert comparison.systems[1].randomisation_p < 0.01


def test_bootstrap_means_are_those_of_resampled_segments():
    """The mean of a mean: its spread is known."""
    chance = np.random.default_rng(1)
    stats = np.column_stack([chance.integers(0, 9, 500), np.full(500, 10)]).astype(np.int32)
    result = paired_bootstrap(Wer(), [stats], samples=4000)
    rates = 10.0 * stats[:, 0]
    assert result.mean(0) == pytest.approx(rates.mean(), abs=0.1)
    assert result.resampled.std() == pytest.approx(rates.std() / np.sqrt(500), rel=0.05)
    low, high = result.interval(0)
    assert (high - low) / 2 == pytest.approx(1.96 * rates.std() / np.sqrt(500), rel=0.07)


def test_same_bytes_for_any_threads_and_other_bytes_for_another_seed(wmt):
    systems, references = wmt
    bleu = Bleu()
    prepared = bleu.prepare(references)
    first, second, _ = (bleu.stats(texts, None, prepared) for texts in systems.values())
    one = paired_bootstrap(bleu, [first, second], samples=50, engine=1).resampled
    assert (
        one.tobytes()
        == paired_bootstrap(bleu, [first, second], samples=50, engine=3).resampled.tobytes()
    )
    assert not np.array_equal(
        one, paired_bootstrap(bleu, [first, second], samples=50, seed=2).resampled
    )
    exchanged = [
        approximate_randomisation(bleu, first, second, trials=50, engine=threads).differences
        for threads in (1, 3)
    ]
    assert exchanged[0].tobytes() == exchanged[1].tobytes()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: paired_bootstrap(Wer(), [np.zeros((2, 2)), np.zeros((3, 2))]),
            "the systems' statistics differ in shape or are not this metric's",
        ),
        (
            lambda: approximate_randomisation(Bleu(), np.zeros((2, 2)), np.zeros((2, 2))),
            "the systems' statistics differ in shape or are not this metric's",
        ),
        (
            lambda: paired_bootstrap(Wer(), [np.zeros((0, 2))]),
            "nothing to resample: no systems or no segments",
        ),
        (
            lambda: paired_bootstrap(Wer(), [np.zeros((1, 2))], samples=0),
            "0 bootstrap samples, expected 1 to 1000000",
        ),
        (lambda: compare_systems({}, [["a"]], [Bleu()]), "no systems to compare"),
    ],
)
def test_refused(call, message):
    with pytest.raises(OptionError) as error:
        call()
    assert str(error.value) == message
