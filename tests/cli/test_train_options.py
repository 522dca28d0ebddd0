"""`train`: every option sets the section that shows it, and nothing else."""

import argparse
from dataclasses import fields, replace

import pytest

from tunesmith.align import Aligner
from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import parameters_of
from tunesmith.cli import train
from tunesmith.cli._options import add_parameters, given_parameters
from tunesmith.cli.main import build_parser
from tunesmith.grammar import PhraseExtraction
from tunesmith.train import TrainOptions

FILES = ["--src", "a", "--tgt", "b", "--dev-src", "c", "--dev-ref", "d", "--out", "m"]
DEFAULTS = TrainOptions()
TUNER = "tuner"


def options(*given):
    return train._options(build_parser("train").parse_args(["train", *FILES, *given]))


def declared():
    """(option, section, parameter) of everything that comes from a class."""
    parser = argparse.ArgumentParser()
    train.add_arguments(parser)
    for action in parser._actions:
        section, dot, name = action.dest.partition(".")
        if dot and action.option_strings[0] not in ("--second-tm", "--pretokenised"):
            yield action.option_strings[0], section, name


def part(where, section):
    return where if section == "TrainOptions" else getattr(where, section)


SHOWN = [row for row in declared() if row[1] != TUNER]
TUNERS = [row for row in declared() if row[1] == TUNER]


def parameter_of(section, name):
    kind = type(part(DEFAULTS, section))
    return next(item for item in parameters_of(kind) if item.name == name)


def words(option, value):
    """The option as it is given for a value."""
    if isinstance(value, bool):
        return [option if value else option.replace("--", "--no-", 1)]
    return [
        word
        for one in (value if isinstance(value, tuple) else [value])
        for word in (option, str(one))
    ]


def another(section, name):
    """A value that is not the default."""
    value, item = getattr(part(DEFAULTS, section), name), parameter_of(section, name)
    if item.metadata["choices"]:
        return next(one for one in item.metadata["choices"] if one != value)
    if isinstance(value, bool):
        return not value
    if isinstance(value, tuple):
        return ("other",)
    if isinstance(value, str):
        return "kb-mert" if name == "tuner" else "other"
    high = item.metadata["at_most"]
    if high is not None and value + 1 > high:
        return value / 2 if isinstance(value, float) else value - 1
    return value + 1


def test_every_option_at_its_default_changes_nothing():
    given = [
        word
        for option, section, name in SHOWN
        for word in words(option, getattr(part(DEFAULTS, section), name))
    ]
    assert len(SHOWN) > 50
    assert options(*given) == DEFAULTS


@pytest.mark.parametrize(("option", "section", "name"), SHOWN)
def test_an_option_changes_its_own_section_alone(option, section, name):
    value = another(section, name)
    changed = options(*words(option, value))
    if section == "TrainOptions":
        assert changed == replace(DEFAULTS, **{name: value})
        return
    assert getattr(part(changed, section), name) == value
    different = [
        item.name for item in fields(changed)
        if getattr(changed, item.name) != getattr(DEFAULTS, item.name)
    ]  # fmt: skip
    assert different == [section]
    parameters = [item.name for item in parameters_of(type(part(changed, section)))]
    assert [
        one for one in parameters
        if getattr(part(changed, section), one) != getattr(part(DEFAULTS, section), one)
    ] == [name]  # fmt: skip


@pytest.mark.parametrize(("option", "section", "name"), TUNERS)
def test_options_of_a_tuner_set_that_tuner_alone(option, section, name):
    from tunesmith.cli.tuner_options import hyper_parameters, tuner_names

    tuner, item = hyper_parameters(tuner_names())[name][0]
    changed = options("--tuner", tuner, option, str(item.default))
    assert changed == replace(
        DEFAULTS, tune=replace(DEFAULTS.tune, tuner=tuner, options={name: item.default})
    )


def test_options_of_phrases_that_the_aligner_has_too():
    assert options("--max-length", "7") == DEFAULTS
    for smoothing in ("good-turing", "none"):
        changed = options("--smoothing", smoothing)
        changed.check()
        assert changed.phrases.smoothing == smoothing
        assert changed.align == DEFAULTS.align


def test_an_option_goes_before_the_file_in_its_section_alone(tmp_path):
    (tmp_path / "train.toml").write_text("[align]\nmax_length = 50\n[phrases]\nmax_length = 5\n")
    changed = options("--config", str(tmp_path / "train.toml"), "--max-length", "6")
    assert (changed.align.max_length, changed.phrases.max_length) == (50, 6)
    assert changed.align.symmetrisation == DEFAULTS.align.symmetrisation


def test_the_second_name_of_an_option():
    assert options("--second-tm", "forced") == options("--second-table", "forced")
    assert options("--pretokenised") == options("--tokenizer", "none")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["--restarts", "3"],
            "--restarts is no option of the tuner kb-mira, but of kb-mert, risk, svm-1-slack, "
            "svm-s-slack, lb-mert",
        ),
        # Its name without the tuner's is the loop's.
        (
            ["--tuner-iterations", "3"],
            "--tuner-iterations is no option of the tuner kb-mira, but of lb-risk",
        ),
        (
            ["--tuner", "lb-risk", "--tuner-iterations", "x"],
            "--tuner-iterations is 'x', expected a whole number",
        ),
    ],
)
def test_messages_name_the_option_that_was_given(given, message):
    with pytest.raises(OptionError) as caught:
        options(*given)
    assert str(caught.value) == message


def test_two_sections_that_show_the_same_option_are_refused():
    parser = argparse.ArgumentParser()
    add_parameters(parser, Aligner, only=("max_length",))
    with pytest.raises(argparse.ArgumentError, match="--max-length: conflicting"):
        add_parameters(parser, PhraseExtraction, only=("max_length",))
    add_parameters(parser, PhraseExtraction, only=("max_length",), prefix="phrases_")
    given = parser.parse_args(["--max-length", "3", "--phrases-max-length", "4"])
    assert given_parameters(given, Aligner) == {"max_length": 3}
    assert given_parameters(given, PhraseExtraction) == {"max_length": 4}


def test_the_first_screen_has_what_people_change():
    parser = argparse.ArgumentParser()
    train.add_arguments(parser)
    shown = [one for one in parser._actions if one.help != argparse.SUPPRESS]
    assert len(shown) <= 25
    assert len(parser.format_help().splitlines()) < 85


def test_a_setting_by_its_name_is_what_its_option_sets():
    for option, section, name in SHOWN:
        value = another(section, name)
        if isinstance(value, tuple):
            value_text = f"{list(value)}".replace("'", '"')
        else:
            value_text = str(value).lower() if isinstance(value, bool) else str(value)
        key = name if section == "TrainOptions" else f"{section}.{name}"
        assert options("--set", f"{key}={value_text}") == options(*words(option, value)), key


def test_a_setting_given_twice_is_refused():
    with pytest.raises(OptionError) as caught:
        options("--order", "3", "--set", "lm.order=4")
    assert str(caught.value) == "lm.order is given by an option and by --set, expected one"
    with pytest.raises(OptionError, match=r"tune\.options\.C is given by an option and by --set"):
        options("--C", "0.1", "--set", "tune.options.C=0.2")


def test_all_settings_are_listed_without_any_file(capsys):
    with pytest.raises(SystemExit) as ended:
        build_parser("train").parse_args(["train", "--options"])
    assert ended.value.code == 0
    assert "  lm.order = 0\n      longest n-gram" in capsys.readouterr().out


def test_an_effort_goes_by_the_model_that_is_given():
    assert options("--effort", "best").learn.learner == "maxforce"
    assert options("--effort", "best", "--model", "hiero").learn.learner == "none"
    assert options("--effort", "quick", "--iterations", "9").tune.iterations == 9
