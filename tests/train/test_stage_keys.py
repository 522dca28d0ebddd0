"""Which stages are done again when an option changes: those that it can change, and no others."""

from dataclasses import replace

import pytest

from tunesmith.align import Aligner
from tunesmith.train import Training, TrainOptions
from tunesmith.train.keywords import replace_parameters
from tunesmith.train.options import LmOptions, TuneOptions

ALL = (
    "corpus", "align", "align2", "lm", "lm2", "phrases", "phrases2", "tune", "folds", "learn",
    "retune",
)  # fmt: skip
TABLES = ("phrases", "phrases2")
TUNED = ("tune", "learn", "retune")


def base():
    options = TrainOptions(features="medium", threads=1)
    return replace(
        options,
        learn=replace(options.learn, learner="maxforce"),
        maxforce=replace(options.maxforce, folds=2),
    )


def changed(section, **values):
    options = base()
    part = getattr(options, section)
    if isinstance(part, Aligner):
        return replace(options, align=replace_parameters(part, **values))
    return replace(options, **{section: replace(part, **values)})


def keys(tmp_path, options, **files):
    for name in ("s", "t", "ds", "dt"):
        (tmp_path / name).write_text(files.get(name, "a b\n"))
    training = Training(
        tmp_path / "s", tmp_path / "t", tmp_path / "ds", [tmp_path / "dt"], tmp_path / "m",
        options=options,
    )  # fmt: skip
    return {name: stage.key for name, stage in training.stages.items()}


@pytest.mark.parametrize(
    ("options", "again"),
    [
        (changed("text", max_words=50), ALL),
        (changed("align", ibm1=7), ("align", "align2", *TABLES, "folds", *TUNED)),
        (changed("lm", order=3), ("lm", "folds", *TUNED)),
        (changed("lm", lm2_order=3), ("lm2", "folds", *TUNED)),
        (changed("lm", lm2_classes=3), ("lm2", "folds", *TUNED)),
        (changed("phrases", max_length=3), (*TABLES, "folds", *TUNED)),
        (changed("phrases", memory_mb=64), ()),
        (changed("search", distortion_limit=3), TUNED),
        (changed("search", pop_limit=3), TUNED),
        (changed("tune", iterations=3), TUNED),
        (changed("tune", options={"C": 1.0}), TUNED),
        (replace(base(), seed=8), TUNED),
        (replace(base(), threads=2), ()),
        (changed("learn", clusters=7), ("learn", "retune")),
        (changed("learn", epoch_tuning=7), ("learn", "retune")),
        (changed("learn", retune=7), ("retune",)),
        (changed("maxforce", epochs=7), ("learn", "retune")),
        (changed("maxforce", engine=2), ()),
        (changed("maxforce", folds=3), ("folds", "learn", "retune")),
        (changed("lexical", budget=3), ("learn", "retune")),
    ],
)
def test_options(tmp_path, options, again):
    before, after = keys(tmp_path, base()), keys(tmp_path, options)
    assert tuple(before) == tuple(after) == ALL
    assert {name for name in ALL if before[name] != after[name]} == set(again)


@pytest.mark.parametrize("name", ["s", "t", "ds", "dt"])
def test_texts(tmp_path, name):
    before, after = keys(tmp_path, base()), keys(tmp_path, base(), **{name: "a b c\n"})
    assert all(before[stage] != after[stage] for stage in ALL)


def test_a_given_second_language_model_counts_by_its_content(tmp_path):
    lm2 = tmp_path / "x.arpa"
    text = "\\data\\\nngram 1=3\n\n\\1-grams:\n-1\t<unk>\n-1\t<s>\n{}\t</s>\n\n\\end\\\n"
    found = []
    for value in (-1, -2):
        lm2.write_text(text.format(value))
        options = replace(base(), lm=LmOptions(lm2=str(lm2)))
        found.append(keys(tmp_path, options))
    again = {name for name in ALL if found[0][name] != found[1][name]}
    assert again == {"lm2", "folds", *TUNED}


def test_stages_that_a_run_has(tmp_path):
    plain = TrainOptions(features="small", threads=1)
    assert tuple(keys(tmp_path, plain)) == ("corpus", "align", "lm", "phrases", "tune")
    forced = keys(tmp_path, replace(plain, second_table="forced"))
    assert tuple(forced) == ("corpus", "align", "lm", "phrases", "phrases2", "tune")
    # What forced decoding finds depends on how far it may reorder.
    other = replace(plain, second_table="forced", search=replace(plain.search, distortion_limit=2))
    assert keys(tmp_path, other)["phrases2"] != forced["phrases2"]
    assert keys(tmp_path, other)["phrases"] == forced["phrases"]
    sparse = TrainOptions(features="big", tune=TuneOptions(tuner="pro"), threads=1)
    assert "features" in keys(tmp_path, sparse)
    unlearned = replace(base(), learn=replace(base().learn, retune=0))
    assert tuple(keys(tmp_path, unlearned)) == ALL[:-1]
    unfolded = replace(base(), maxforce=replace(base().maxforce, folds=0))
    assert "folds" not in keys(tmp_path, unfolded)


def test_templates_of_a_user_count_by_their_content(tmp_path):
    code = tmp_path / "mine.py"
    found = []
    for word in ("one", "two"):
        code.write_text(f"def f(source, target, links, counts):\n    yield '{word}'\n")
        options = TrainOptions(features="small", template=(f"{code}:f",), threads=1)
        found.append(keys(tmp_path, options))
    again = {name for name in found[0] if found[0][name] != found[1][name]}
    assert again == {"features", "tune"}
