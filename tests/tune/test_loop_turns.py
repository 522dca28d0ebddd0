"""What the loop gives its decoder and its tuner, and which turn it takes for the best."""

import pytest

from reference.scripted_loop import ScriptedSource, ScriptedTuner
from tunesmith.base.weights import Weights
from tunesmith.metrics import Bleu, Wer
from tunesmith.tune.loop import UNCHANGED, TuningLoop, has_fallen

REFERENCES = [["a b c d", "e f g h"]]
START = Weights({"words": 0.25, "bytes": 0.125})
# Translations of both sentences with 0, 1, 2 … of eight words wrong.
WRONG = [
    ["a b c d", "e f g h"],
    ["a b c x", "e f g h"],
    ["a b x x", "e f g h"],
    ["a x x x", "e f g h"],
    ["x x x x", "e f g h"],
    ["x x x x", "e f g x"],
]


def lists(errors):
    """One list per decoding, with so many wrong words in its first choices."""
    return [[[text, f"{text} {turn}"] for text in WRONG[n]] for turn, n in enumerate(errors)]


def loop(errors, metric=None, **options):
    source, tuner = ScriptedSource(lists(errors)), ScriptedTuner()
    run = TuningLoop(source, tuner, metric or Wer(), REFERENCES,
                     **{"iterations": len(errors) - 1, **options})  # fmt: skip
    return run, source, tuner


def test_earlier_lists_stay_in_the_pool(tmp_path):
    run, _, tuner = loop([3, 1, 1, 2])
    result = run.run(START, tmp_path)
    # Two sentences with two translations a turn; turn 2 has the first choices of turn 1 again, and
    # the second sentence's first choice is the same in all turns.
    assert [pool.rows for pool in tuner.pools] == [4, 7, 9]
    assert [turn.hypotheses for turn in result.iterations] == [4, 7, 9, 12]
    for before, after in zip(tuner.pools, tuner.pools[1:], strict=False):
        assert set(before.keys) < set(after.keys)


def test_lists_of_before_a_kill_stay_in_the_pool(tmp_path):
    def kill(number, _):
        if number == 2:
            raise KeyboardInterrupt

    run, _, _ = loop([3, 1, 1, 2])
    with pytest.raises(KeyboardInterrupt):
        run.run(START, tmp_path, report=kill)
    again, source, tuner = loop([3, 1, 1, 2])
    source.asked += [None, None]
    told = []
    result = again.run(START, tmp_path, report=lambda number, _: told.append(number))
    assert told == [1, 2, 3, 4]
    assert [pool.rows for pool in tuner.pools] == [9]
    assert [turn.hypotheses for turn in result.iterations] == [4, 7, 9, 12]
    assert source.asked[2] == ({"words": 2.0, "bytes": 0.5}, 100)


def test_weights_are_handed_on(tmp_path):
    run, source, tuner = loop([3, 1, 2], size=7)
    result = run.run(START, tmp_path)
    first, second = {"words": 1.0, "bytes": 0.5}, {"words": 2.0, "bytes": 0.5}
    # Decoded with the start, and with what each turn has learnt; the last turn tunes nothing.
    assert source.asked == [(dict(START), 7), (first, 7), (second, 7)]
    assert tuner.starts == [dict(START), first]
    # New lists judge the end, not the old ones.
    assert tuner.kept_better_start == [False, False]
    assert [turn.weights for turn in result.iterations] == [dict(START), first, second]
    assert [turn.pool_score for turn in result.iterations][:2] == [10.0, 20.0]


@pytest.mark.parametrize("killed_after", [None, 1, 2, 3])
@pytest.mark.parametrize("metric", [Wer(), Bleu(tokenize="none", order=1)])
def test_after_a_fall_tuning_goes_on_from_the_weights_before_it(tmp_path, metric, killed_after):
    def kill(number, _):
        if number == killed_after:
            raise KeyboardInterrupt

    errors = [2, 5, 4, 1, 1]
    run, _, tuner = loop(errors, metric)
    if killed_after:
        with pytest.raises(KeyboardInterrupt):
            run.run(START, tmp_path, report=kill)
        run.source = ScriptedSource(lists(errors), asked=[None] * killed_after)
    result = run.run(START, tmp_path)
    assert [turn.fell for turn in result.iterations] == [False, True, True, False, False]
    fourth = {"words": 3.0, "bytes": 0.5}
    assert tuner.starts == [dict(START)] * 3 + [fourth]
    # All lists are tuned on, but features are measured on those of turns that did not fall.
    texts = [set(pool.keys) for pool in tuner.pools]
    assert texts[0] < texts[1] < texts[2] < texts[3]
    measured = [pool and set(pool.keys) for pool in tuner.measured_on]
    assert measured[:3] == [None, texts[0], texts[0]]
    assert texts[0] < measured[3] < texts[3]
    assert len(measured[3]) == len(texts[0]) + 3  # a translation of turn 1 comes again


@pytest.mark.parametrize(
    ("before", "score", "higher", "fallen"),
    [
        (40.0, 30.01, True, False),
        (40.0, 29.99, True, True),
        (40.0, 60.0, True, False),
        (40.0, 49.99, False, False),
        (40.0, 50.01, False, True),
        (-2.0, -2.49, True, False),
        (-2.0, -2.51, True, True),
        (0.0, 0.0, True, False),
    ],
)
def test_what_a_fall_is(before, score, higher, fallen):
    assert has_fallen(before, score, 1.0 if higher else -1.0) == fallen


@pytest.mark.parametrize(
    ("errors", "best"), [([3, 1, 2], 1), ([0, 1, 2], 0), ([3, 2, 1], 2), ([2, 1, 1], 1)]
)
def test_the_best_turn(tmp_path, errors, best):
    for metric in (Wer(), Bleu(tokenize="none", order=1)):
        run, _, _ = loop(errors, metric)
        result = run.run(START, tmp_path / metric.name)
        chosen = result.iterations[best]
        assert dict(result.weights) == chosen.weights
        assert result.score == chosen.score
        assert result.stopped == ""
    scores = [turn.score for turn in result.iterations]
    assert scores == pytest.approx([100 * (1 - n / 8) for n in errors])


@pytest.mark.parametrize(
    ("errors", "options", "turns"),
    [
        ([3, 2, 2, 3, 0], {"patience": 2}, 4),  # two turns not better than the second
        ([3, 2, 2, 1, 0], {"patience": 2}, 5),
        ([3, 2, 2, 1, 0], {"patience": 1}, 3),
        ([3, 2, 2, 3, 0], {}, 5),
        ([5, 4, 3, 2, 1], {"patience": 1}, 5),
        ([5, 4, 3, 2, 1], {"patience": 1, "least_gain": 12.5}, 5),
        ([5, 4, 3, 2, 1], {"patience": 1, "least_gain": 12.6}, 2),
    ],
)
def test_patience(tmp_path, errors, options, turns):
    for metric in (Wer(), Bleu(tokenize="none", order=1)):
        run, _, _ = loop(errors, metric, **options)
        result = run.run(START, tmp_path / metric.name)
        assert len(result.iterations) == turns
        patience = options.get("patience", 0)
        unit = "iteration" if patience == 1 else "iterations"
        expected = f"nothing better in {patience} {unit}" if turns < 5 else ""
        assert result.stopped == expected


def test_weights_that_stand_still_end_the_loop(tmp_path, monkeypatch):
    run, source, tuner = loop([3, 1, 2, 0])
    fit = tuner.fit

    def stubborn(*arguments, **options):
        tuner.pools.clear()  # the same weights in every turn
        return fit(*arguments, **options)

    monkeypatch.setattr(tuner, "fit", stubborn)
    result = run.run(START, tmp_path)
    assert result.stopped == UNCHANGED
    assert len(source.asked) == 3
