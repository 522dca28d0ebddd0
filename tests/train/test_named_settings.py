"""Settings by their names: the same from a file and from `--set`, all listed, all checked."""

import tomllib

import pytest

from tunesmith.base.config import from_mapping
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.train import TrainOptions
from tunesmith.train.efforts import NAMES
from tunesmith.train.settings import (
    listing,
    parse_settings,
    read_options,
    section_parameters,
    sections,
)
from tunesmith.tune import TUNERS


def listed():
    """(name, value as TOML) of every line that sets something."""
    for line in listing().splitlines():
        if line.startswith("  ") and not line.startswith("   "):
            name, _, value = line.strip().partition(" = ")
            yield name, value


def test_all_settings_are_listed_with_their_defaults():
    rows = dict(listed())
    for section, part in sections().items():
        for item in section_parameters(part):
            value = tomllib.loads(f"x = {rows[f'{section}.{item.name}']}")["x"]
            expected = getattr(part, item.name)
            assert value == (list(expected) if isinstance(expected, tuple) else expected)
    assert rows["seed"] == "1"
    assert {name.split(".")[0] for name in rows if "." in name} == set(sections())
    for tuner in TUNERS:
        assert f"[tune.options]  of the tuner {tuner}" in listing()


@pytest.mark.parametrize(
    ("name", "value"), [row for row in listed() if not row[0].startswith("tune.options")]
)
def test_a_default_that_is_set_changes_nothing(name, value):
    text = value[1:-1] if value.startswith('"') else value
    assert read_options(None, parse_settings([f"{name}={text}"])) == TrainOptions()


def test_the_file_and_set_say_the_same(tmp_path):
    path = tmp_path / "train.toml"
    path.write_text(
        'seed = 3\ntemplate = ["a.py:f"]\n[text]\ncasing = "none"\n[lm]\norder = 3\nlm2 = "5"\n'
        "[align]\nagreement = false\n[tune.options]\nC = 0.1\n"
    )
    given = parse_settings(
        ["seed=3", "template=a.py:f", "text.casing=none", "lm.order=3", "lm.lm2=5",
         "align.agreement=no", "tune.options.C=0.1"]
    )  # fmt: skip
    assert read_options(None, given) == read_options(path, {})
    assert read_options(None, given) == from_mapping(tomllib.loads(path.read_text()), TrainOptions)


def test_set_goes_before_the_file_and_leaves_the_rest(tmp_path):
    path = tmp_path / "train.toml"
    path.write_text("[align]\nhmm = 3\nibm1 = 2\n[tune]\nsize = 50\n[tune.options]\nC = 0.1\n")
    options = read_options(path, parse_settings(["align.hmm=4", "tune.options.passes=7"]))
    assert (options.align.hmm, options.align.ibm1, options.tune.size) == (4, 2, 50)
    assert options.align.symmetrisation == TrainOptions().align.symmetrisation
    assert options.tune.options == {"C": 0.1, "passes": 7}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["lm.order"], "--set 'lm.order', expected SECTION.KEY=VALUE, as lm.order=3"),
        (["=3"], "--set '=3', expected SECTION.KEY=VALUE, as lm.order=3"),
        (["lm..order=3"], "--set 'lm..order=3', expected SECTION.KEY=VALUE, as lm.order=3"),
        (["lm.order=3", "lm.order=4"], "--set 'lm.order' is given twice"),
        (["seed=3", "seed.x=4"], "--set 'seed.x=4': 'seed' has a value already"),
        (
            ["lm.ordre=3"],
            "--set: unknown key 'lm.ordre', expected one of: order, lm2, lm2_classes, lm2_order, "
            "mono, mono_share; was lm.order meant? `tunesmith train --options` lists all",
        ),
        (
            ["lm.order=x"],
            "--set: key 'lm.order' is 'x', expected a whole number; `tunesmith train --options` "
            "lists all",
        ),
        (
            ["text.protect=maybe"],
            "--set text.protect is 'maybe', expected true or false",
        ),
        (
            ["lm.order=99"],
            "--set: order is 99, expected at most 12; `tunesmith train --options` lists all",
        ),
        (
            ["text.casing=upper"],
            "--set: casing is 'upper', expected one of: auto, truecase, lowercase, none; "
            "`tunesmith train --options` lists all",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(given, message):
    with pytest.raises(OptionError) as caught:
        parse_settings(given)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("key", "meant"),
    [
        ("search.stacksize", "was search.stack_size meant?"),
        ("lm.iterations", "was tune.iterations or tune.options.iterations meant?"),
        ("sed", "was seed meant?"),
        ("nothing.at_all", ""),
    ],
)
def test_what_was_meant_is_asked(tmp_path, key, meant):
    with pytest.raises(OptionError) as caught:
        parse_settings([f"{key}=3"])
    assert (meant or "lists all") in str(caught.value)
    assert meant or "meant" not in str(caught.value)
    (tmp_path / "train.toml").write_text(f"{key} = 3\n")
    with pytest.raises(InputError) as caught:
        read_options(tmp_path / "train.toml", {})
    assert caught.value.remedy == meant


@pytest.mark.parametrize("text", ["a.b.c.d=1", "text=3", "lm.order=[1", "lm=\n", "x" * 5000 + "=1"])
def test_nonsense_is_answered(text):
    with pytest.raises(TunesmithError):
        parse_settings([text])


def test_an_effort_stands_behind_everything_that_is_given(tmp_path):
    path = tmp_path / "train.toml"
    path.write_text('effort = "quick"\n[tune]\npatience = 2\n')
    quick = read_options(path, {})
    assert (quick.features, quick.tune.iterations, quick.tune.patience) == ("dense", 4, 2)
    given = parse_settings(["learn.learner=none"])
    assert read_options(path, {}, effort="best").learn.learner == "maxforce"
    assert read_options(path, given, effort="best").learn.learner == "none"
    assert read_options(path, {}, effort="best").features == "standard"
    assert read_options(path, {}, effort="best", model="hiero").learn.learner == "none"
    assert read_options(None, {"model": "hiero"}, effort="best").tune.pop_limit == 200


@pytest.mark.parametrize("effort", NAMES)
@pytest.mark.parametrize("model", ["phrase", "hiero"])
def test_every_effort_can_be_trained(effort, model):
    options = read_options(None, {"model": model}, effort=effort)
    options.check()
    assert (options == TrainOptions(model=model)) == (effort == "standard")


def test_an_effort_that_is_none_is_refused(tmp_path):
    (tmp_path / "train.toml").write_text('effort = "huge"\n')
    with pytest.raises(InputError, match="effort 'huge', expected one of: quick, standard, best"):
        read_options(tmp_path / "train.toml", {})
