"""`train --model hiero`: a hierarchical translator of a small phrasebook."""

from dataclasses import replace

import pytest

from tunesmith.base.errors import OptionError
from tunesmith.base.weights import Weights
from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.decode import KBest, SearchOptions, open_decoder
from tunesmith.decode.reading import SentenceReader
from tunesmith.grammar import HieroIndex, HieroOptions
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.train import TrainOptions
from tunesmith.train.options import TextOptions, TuneOptions
from tunesmith.train.stages import STAGES


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=5, dev=60, test=40, train=800)
    return folder


def arguments(corpus, out, *more):
    return [
        "train", "--model", "hiero", "--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en",
        "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en",
        "--source-language", "de", "--iterations", "3", "--size", "20", "--order", "3",
        "--lm2-classes", "20", "--lm2-order", "4", "--out", str(out), *more,
    ]  # fmt: skip


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained") / "model"
    assert main(arguments(corpus, out, "--threads", "1")) == 0
    return out


def test_the_model_is_whole_and_translates(trained, corpus, tmp_path):
    model = TranslationModel.load(trained)
    assert model.kind == "hiero"
    assert isinstance(model.grammar, HieroIndex)
    assert model.search["pop_limit"] == 200
    assert {"tm.p_e_given_f", "glue", "unknown", "lm", "lm2", "lm_unknown"} <= set(model.weights)
    out = tmp_path / "out"
    translate = ["translate", str(trained), "--input", f"{corpus}/test.de", "--out", str(out)]
    assert main(translate) == 0
    references = (corpus / "test.en").read_text().splitlines()
    assert Bleu().corpus_score(out.read_text().splitlines(), [references]) > 20


def test_same_bytes_with_two_threads(trained, corpus, tmp_path):
    assert main(arguments(corpus, tmp_path / "m", "--threads", "2")) == 0
    for name in ("grammar.bin", "weights.tsv", "model.toml"):
        assert (tmp_path / "m" / name).read_bytes() == (trained / name).read_bytes()


def test_only_what_an_option_changes_is_done_again(trained, corpus, capsys):
    work = ("--work", f"{trained}.work", "--hiero-max-symbols", "3")
    assert main(arguments(corpus, trained.with_name("other"), *work)) == 0
    assert capsys.readouterr().err.count("kept from an earlier run") == 4  # not grammar and tune


def test_rules_do_not_depend_on_the_other_sentences(trained, corpus):
    model = TranslationModel.load(trained)
    lines = model.preprocessors[0].encode((corpus / "test.de").read_text().splitlines()[:12])
    together = open_decoder(model, engine=1).decode(lines, want=KBest(5))
    alone = [open_decoder(model, engine=1).decode([line], want=KBest(5)) for line in lines]
    assert together.texts == [text for one in alone for text in one.texts]


def test_a_session_may_be_asked_again(trained, corpus):
    model = TranslationModel.load(trained)
    lines = model.preprocessors[0].encode((corpus / "test.de").read_text().splitlines()[:6])
    session = open_decoder(model, engine=1).session()
    first, second = session.decode(lines[:3]), session.decode(lines[3:])
    assert [*first.best(), *second.best()] == session.decode(lines).best()
    assert session.decode(lines[:3]).best() == first.best()


@pytest.mark.parametrize("tuner", ["lb-mert", "lb-risk", "mira"])
def test_it_can_be_tuned_by_graphs_and_online(trained, corpus, tmp_path, tuner):
    out = tmp_path / "tuned"
    model = TranslationModel.load(trained)
    for language, preprocessor in zip(("de", "en"), model.preprocessors, strict=True):
        lines = preprocessor.encode((corpus / f"dev.{language}").read_text().splitlines()[:20])
        (tmp_path / f"dev.{language}").write_text("".join(f"{line}\n" for line in lines))
    files = ["--dev-src", f"{tmp_path}/dev.de", "--dev-ref", f"{tmp_path}/dev.en"]
    how = ["--tuner", tuner, "--iterations", "1"]
    assert main(["tune", str(trained), *files, *how, "--out", str(out)]) == 0
    assert TranslationModel.load(out).weights != model.weights


def test_charts_span_what_rules_do_unless_it_is_said_otherwise():
    options = TrainOptions(model="hiero", hiero=HieroOptions(max_input_span=25))
    assert options.model_search.span_limit == 25
    said = replace(options, search=SearchOptions(span_limit=20))
    assert said.model_search.span_limit == 20
    assert replace(options, model="phrase").model_search == options.search


def test_charts_are_tuned_with_fewer_candidates_unless_it_is_said_otherwise():
    options = TrainOptions(model="hiero")
    assert options.tuning_search == replace(options.model_search, pop_limit=60)
    assert replace(options, tune=TuneOptions(pop_limit=150)).tuning_search.pop_limit == 150
    assert replace(options, model="phrase").tuning_search.pop_limit == 200


def test_it_has_stages_of_its_own():
    names = [kind.name for kind in STAGES if kind.is_part_of(TrainOptions(model="hiero"))]
    assert names == ["corpus", "align", "lm", "lm2", "grammar", "tune"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            TrainOptions(features="medium"),
            "with the features 'medium', expected one of: standard, dense, big, rules, edges",
        ),
        (TrainOptions(second_table="forced"), "with a second table"),
        (
            TrainOptions(search=SearchOptions(distortion_limit=3)),
            "--distortion-limit is for phrase",
        ),
    ],
)
def test_what_it_cannot_have_is_refused(options, message):
    with pytest.raises(OptionError, match=message):
        replace(options, model="hiero").check()


def test_inspect_says_where_its_rules_are_and_shows_them(trained, capsys):
    assert main(["inspect", str(trained)]) == 0
    assert "grammar: rules are looked up in 800 sentence pairs" in capsys.readouterr().out
    assert main(["inspect", str(trained), "--phrase", "ich"]) == 0
    best = capsys.readouterr().out.splitlines()[0].split()
    assert best[2:] == ["I"]
    assert 0 < float(best[0]) <= 1


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (["export"], "cdec reads those of a given one: expected --text FILE"),
        (["prune", "--limit", "5"], "tables to prune are for these alone"),
    ],
)
def test_what_needs_a_table_or_a_text_refuses_it(trained, tmp_path, capsys, command, message):
    out = tmp_path / "out"
    assert main([command[0], str(trained), *command[1:], "--out", str(out)]) == 2
    assert message in capsys.readouterr().err
    assert not out.exists()


def test_a_smaller_feature_set_has_one_language_model(trained):
    model = TranslationModel.load(trained)
    small = model.restricted("dense")
    assert set(model.feature_names) - set(small.feature_names) == {"lm2", "lm2_unknown"}
    assert open_decoder(small, engine=1).decode(["ich bin hier ."]).best()
    with pytest.raises(OptionError, match="no feature set 'small'; expected one of: standard, de"):
        model.restricted("small")
    with pytest.raises(OptionError, match="does not have the sparse features of the feature set"):
        model.restricted("rules")


def test_compounds_may_be_kept_whole_beside_their_parts(tmp_path, capsys):
    """Whole words have translations that their parts have not, and the other way round."""
    phrasebook.write(tmp_path, seed=5, dev=30, train=200)
    pairs = [
        *[("Das Haus ist alt .", "The house is old .")] * 6,
        *[("Das Boot ist alt .", "The boat is old .")] * 6,
        *[("Das Bootshaus ist alt .", "The shed is old .")] * 2,
    ]
    for number, name in enumerate(("de", "en")):
        for part in ("train", "dev"):
            with (tmp_path / f"{part}.{name}").open("a") as stream:
                stream.writelines(f"{pair[number]}\n" for pair in pairs)
    out = tmp_path / "m"
    assert main([*arguments(tmp_path, out), "--split-compounds", "both"]) == 0
    assert "and kept whole beside them" in capsys.readouterr().err
    model = TranslationModel.load(out)
    assert model.arc_features == 1
    assert "arc" in model.weights
    assert [str(rule) for rule in model.grammar.rules(["Bootshaus"])] == ["Bootshaus ||| shed"]
    lattice, plain = SentenceReader(open_decoder(model)).read(["das Bootshaus .", "das Haus ."])
    paths = [" ".join(arc.word for arc in path) for path in lattice.paths()]
    assert paths == ["das Boot Haus .", "das Bootshaus ."]
    assert plain.words == ["das", "Haus", "."]
    liking = Weights({**model.weights, "arc": -50.0})
    best = open_decoder(model).decode([lattice], liking)
    assert best.texts == ["the shed ."]
    assert [arc.word for arc in best.path(0, lattice)] == ["das", "Bootshaus", "."]
    (tmp_path / "in").write_text("Das Haus ist alt .\n")
    assert main(["translate", str(out), "--input", str(tmp_path / "in")]) == 0
    assert capsys.readouterr().out == "The house is old.\n"


def test_models_of_phrases_have_no_whole_compounds():
    with pytest.raises(OptionError, match="split_compounds is 'both', expected auto, yes or no"):
        TrainOptions(text=TextOptions(split_compounds="both")).check()
