"""The whole way on a small phrasebook: cached, resumed after kills, deterministic, explained."""

import signal
from itertools import pairwise

import pytest

from reference.standstill import Written, kill_when, standing_still
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.lock import LOCK_FILE
from tunesmith.base.rundir import read_record
from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.decode import KBest, open_decoder
from tunesmith.decode.translate import Translator
from tunesmith.metrics import Bleu
from tunesmith.model import TranslationModel
from tunesmith.model.description import JOIN_FLOOR
from tunesmith.train import Training, TrainOptions
from tunesmith.train.options import LmOptions, TuneOptions

PAIRS = 1500


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=5, dev=60, test=60, train=PAIRS)
    return folder


def arguments(corpus, out, *more):
    return [
        "train", "--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en",
        "--dev-src", f"{corpus}/dev.de", "--dev-ref", f"{corpus}/dev.en",
        "--source-language", "de", "--iterations", "2", "--size", "20", "--order", "3",
        "--out", str(out), *more,
    ]  # fmt: skip


def model_bytes(folder):
    names = ("phrases.bin", "lm.bin", "weights.tsv", "model.toml", "source.json", "target.json")
    return {name: (folder / name).read_bytes() for name in names}


@pytest.fixture(scope="module")
def trained(corpus, tmp_path_factory):
    out = tmp_path_factory.mktemp("trained") / "model"
    test = ("--test-src", f"{corpus}/test.de", "--test-ref", f"{corpus}/test.en", "--threads", "1")
    assert main(arguments(corpus, out, *test)) == 0
    return out


def test_the_model_translates_running_text(trained, corpus, capsys, monkeypatch, tmp_path):
    assert main(["translate", str(trained), "--input", f"{corpus}/test.de", "--explain",
                 "--nbest", "5", "--nbest-out", str(tmp_path / "nbest")]) == 0  # fmt: skip
    captured = capsys.readouterr()
    translated = captured.out.splitlines()
    references = (corpus / "test.en").read_text().splitlines()
    assert Bleu().corpus_score(translated, [references]) > 20
    assert "adds" in captured.err
    rows = [line.split(" ||| ") for line in (tmp_path / "nbest").read_text().splitlines()]
    assert {int(row[0]) for row in rows} == set(range(len(references)))
    assert all("lm= " in row[2] for row in rows)


def test_links_that_are_missing_are_worth_a_warning(corpus, tmp_path, capsys):
    (tmp_path / "train.toml").write_text("[align]\nprune = 1.0\nibm1 = 1\nhmm = 1\n")
    more = ("--config", str(tmp_path / "train.toml"), "--iterations", "1")
    main(arguments(corpus, tmp_path / "model", *more))
    assert "of 1,500 sentence pairs got no links" in capsys.readouterr().err


def test_unseen_compounds_are_translated_in_parts(trained):
    model = TranslationModel.load(trained)
    compounds = model.preprocessors[0].compounds
    nouns = [form for _, form in compounds.parts.values() if form.istitle() and len(form) > 4]
    whole = [one + other.lower() for one, other in pairwise(nouns[:40])]
    apart = [f"{one} {other}" for one, other in pairwise(nouns[:40])]
    translate = Translator(open_decoder(model)).translate
    same = [one == other for one, other in zip(translate(whole), translate(apart), strict=True)]
    assert sum(same) > 30  # some have a better cut than the one we made them by


def test_whole_compounds_in_tokens_are_worth_a_warning(trained, tmp_path, capsys):
    model = TranslationModel.load(trained)
    compounds = model.preprocessors[0].compounds
    words = [form for _, form in compounds.parts.values()]
    whole = [w for w, parts in zip(words, compounds.split(words), strict=True) if len(parts) > 1]
    assert whole
    for text, warned in ((whole, True), (model.encode_source(whole), False)):
        (tmp_path / "in").write_text("".join(f"{line}\n" for line in text))
        assert (
            main(["translate", str(trained), "--pretokenised", "--input", str(tmp_path / "in")])
            == 0
        )
        assert ("compounds that the model knows in parts" in capsys.readouterr().err) == warned


def test_segmented_text_stays_in_words(corpus, tmp_path, capsys):
    """Whatever the language is said to be."""

    def as_chinese(word):
        return "".join(chr(0x4E00 + ord(letter) % 97) for letter in word[:3])

    for part in ("train", "dev"):
        lines = (corpus / f"{part}.de").read_text().splitlines()
        text = (" ".join(map(as_chinese, line.split())) for line in lines)
        (tmp_path / f"{part}.zh").write_text("".join(f"{line}\n" for line in text))
    files = ["--src", str(tmp_path / "train.zh"), "--dev-src", str(tmp_path / "dev.zh")]
    more = ("--iterations", "1", "--source-language", "fr", *files)
    assert main(arguments(corpus, tmp_path / "m", *more)) == 0
    assert "source: segmented text, whose words stay as they are" in capsys.readouterr().err
    line = (tmp_path / "dev.zh").read_text().splitlines()[0]
    assert TranslationModel.load(tmp_path / "m").preprocessors[0].encode([line]) == [line]


def test_unseen_forms_are_translated_as_seen_ones(trained, corpus, tmp_path):
    model = TranslationModel.load(trained)
    source = model.preprocessors[0]
    lines = (corpus / "train.de").read_text().split()
    seen = {word for word in lines if word.isalpha() and word.islower() and len(word) > 5}
    new = sorted(word + ending for word in seen for ending in ("s", "en", "e"))
    changed = [word for word in new if source.encode([word]) != [word]]
    assert len(changed) > 20
    known = source.known.counts
    assert all(word in known for line in source.encode(changed) for word in line.split())
    translate = Translator(open_decoder(model)).translate
    assert translate(changed[:20]) == translate(source.encode(changed[:20]))
    assert main(arguments(corpus, tmp_path / "m", "--iterations", "1",
                          "--set", "text.known_words=false")) == 0  # fmt: skip
    assert TranslationModel.load(tmp_path / "m").preprocessors[0].known is None


def test_compounds_stay_whole_where_the_language_has_none(corpus, tmp_path):
    choices = {"no": ("--split-compounds", "no"), "auto": ("--source-language", "fr")}
    for name, more in choices.items():
        assert main(arguments(corpus, tmp_path / name, "--iterations", "1", *more)) == 0
        assert TranslationModel.load(tmp_path / name).preprocessors[0].compounds is None


def test_the_order_of_the_language_model_depends_on_the_text(corpus, tmp_path):
    assert main(arguments(corpus, tmp_path / "m", "--iterations", "1", "--order", "0")) == 0
    assert TranslationModel.load(tmp_path / "m").language_models[0].order == 4
    assert [LmOptions().resolved_order(words) for words in (999_999, 1_000_000)] == [4, 5]
    assert LmOptions(order=3).resolved_order(5_000_000) == 3


def test_same_bytes_with_two_threads(trained, corpus, tmp_path):
    assert main(arguments(corpus, tmp_path / "m", "--threads", "2")) == 0
    assert model_bytes(tmp_path / "m") == model_bytes(trained)


def test_a_second_table_from_another_alignment(trained, corpus, tmp_path, capsys):
    more = ("--second-table", "ibm2", "--significance", "a-e")
    for threads in ("1", "2"):
        out = tmp_path / threads
        assert main(arguments(corpus, out, "--threads", threads, *more)) == 0
    assert capsys.readouterr().err.count("2: done in") == 6  # align2, lm2, phrases2
    one, two = (TranslationModel.load(tmp_path / threads) for threads in ("1", "2"))
    assert model_bytes(one.folder) == model_bytes(two.folder)
    assert (one.folder / "phrases2.bin").read_bytes() == (two.folder / "phrases2.bin").read_bytes()
    first, second = one.tables
    assert list(first) != list(second)
    assert len(first) < len(TranslationModel.load(trained).tables[0])
    assert one.join_floors == [JOIN_FLOOR] * 8
    names = ("tm2.p_f_given_e", "tm2.lex_f_given_e", "tm2.p_e_given_f", "tm2.lex_e_given_f")
    assert set(one.feature_names) == {*TranslationModel.load(trained).feature_names, *names}
    # A rule has the scores of both tables, and both tables have reordering scores.
    lines = [pair.raw_source for pair in phrasebook.sample(60, seed=5)]
    texts = one.preprocessors[0].encode(lines)
    output = open_decoder(one, engine=1).decode(texts, want=KBest(20))
    for sentence, text in enumerate(texts):
        derivation, totals = output.derivation(int(output.offsets[sentence])), [0.0, 0.0]
        for step in (step for step in derivation.steps if step.rule >= 0):
            target = derivation.text.split()[step.target_begin : step.target_end]
            for number, table in enumerate(one.tables):
                rules = table.rules(text.split()[step.begin : step.end])
                found = [rule.scores[2] for rule in rules if rule.target == " ".join(target)]
                totals[number] += found[0] if found else JOIN_FLOOR
        values = [derivation.features[f"{name}.p_e_given_f"] for name in ("tm", "tm2")]
        assert values == pytest.approx(totals, rel=1e-4, abs=1e-4)
    assert second.meta["reordering"] == first.meta["reordering"] == one.reordering


def test_a_second_table_like_the_first_is_refused(corpus, tmp_path, capsys):
    assert main(arguments(corpus, tmp_path / "m", "--second-table", "hmm")) == 2
    assert "second_table is 'hmm', the model of the first table" in capsys.readouterr().err
    assert main(arguments(corpus, tmp_path / "m", "--from-stage", "align2")) == 2
    assert "stage 'align2', expected one of: corpus, align, lm," in capsys.readouterr().err


def test_stages_are_kept_and_repeated_when_they_must(trained, corpus, capsys):
    before = model_bytes(trained)
    capsys.readouterr()
    assert main(arguments(corpus, trained)) == 0
    assert capsys.readouterr().err.count("kept from an earlier run") == 6
    assert model_bytes(trained) == before
    assert main(arguments(corpus, trained, "--from-stage", "tune")) == 0
    assert capsys.readouterr().err.count("kept from an earlier run") == 5
    assert model_bytes(trained) == before


def test_a_dry_run_says_what_it_would_do_and_does_nothing(corpus, tmp_path, capsys):
    assert main(arguments(corpus, tmp_path / "m", "--dry-run")) == 0
    out = capsys.readouterr().out
    assert f"about {PAIRS:,} pairs" in out
    assert out.count("to do") == 7  # six stages, and all of them
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("written", ["bitext.bin", "align", "pool-2.bin", ".m.tmp*"])
def test_killed_at_any_moment_and_run_again_ends_the_same(trained, corpus, tmp_path, written):
    """In a stage, after one, in an iteration of tuning, before the model takes its place."""
    kill_when(Written(tmp_path, written), arguments(corpus, tmp_path / "m"))
    assert not (tmp_path / "m").exists()
    assert main(arguments(corpus, tmp_path / "m")) == 0
    assert model_bytes(tmp_path / "m") == model_bytes(trained)
    assert not [path for path in (tmp_path / "m").iterdir() if "tmp" in path.name]


def test_a_second_run_in_the_same_folder_is_told_of_the_first(trained, corpus, tmp_path, capsys):
    command = arguments(corpus, tmp_path / "m")
    lock = tmp_path / "m.work" / LOCK_FILE
    with standing_still(command, Written(lock, text="process")) as first:
        capsys.readouterr()
        assert main(command) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.splitlines()[-1].startswith(
            f"tunesmith train: {tmp_path / 'm.work'} is in use by process {first.pid} on "
        )
        first.send_signal(signal.SIGCONT)
        assert first.wait() == 0
    assert model_bytes(tmp_path / "m") == model_bytes(trained)
    assert not lock.exists()


def test_inspect_shows_origin_and_rules(trained, corpus, capsys):
    assert main(["inspect", str(trained)]) == 0
    out = capsys.readouterr().out
    assert "train.de" in out
    assert "language model of order 3" in out
    assert main(["inspect", str(trained), "--phrase", "und"]) == 0
    assert " and" in capsys.readouterr().out


def test_tuning_again_by_the_verb_tune(trained, corpus, tmp_path, capsys):
    assert main(["tune", str(trained), "--dev-src", f"{corpus}/dev.de", "--dev-ref",
                 f"{corpus}/dev.en", "--iterations", "1", "--size", "20", "--tuner", "random",
                 "--trials", "20", "--out", str(tmp_path / "m2")]) == 0  # fmt: skip
    assert "iteration  2" in capsys.readouterr().out
    tuned = TranslationModel.load(tmp_path / "m2")
    assert tuned.feature_names == TranslationModel.load(trained).feature_names
    assert dict(tuned.weights) != dict(TranslationModel.load(trained).weights)


def test_exported_to_moses_and_imported_again(trained, tmp_path, capsys):
    assert main(["export", str(trained), "--out", str(tmp_path / "moses")]) == 0
    names = sorted(path.name for path in (tmp_path / "moses").iterdir())
    assert names == [
        "lm.arpa.gz",
        "moses.ini",
        "phrase-table.gz",
        "reordering-table.gz",
        "weights.txt",
    ]
    ini = str(tmp_path / "moses/moses.ini")
    assert main(["import", ini, "--out", str(tmp_path / "again")]) == 0
    whole, again = (TranslationModel.load(folder) for folder in (trained, tmp_path / "again"))
    ours = whole.restricted("dense")  # the class-based language model stays behind
    assert again.feature_names == ours.feature_names
    assert dict(again.weights) == pytest.approx(dict(ours.weights))
    assert main(["export", str(trained), "--out", str(tmp_path / "moses")]) == 2
    assert "exists, expected a new folder" in capsys.readouterr().err


def test_pruned_models_are_smaller_and_still_translate(trained, corpus, tmp_path, capsys):
    # No unknown words: how they are reordered depends on all words of a table.
    known, lines = tmp_path / "known.de", (corpus / "train.de").read_text().splitlines()
    known.write_text("".join(f"{line}\n" for line in lines[:60]))

    def rules(folder):
        return len(TranslationModel.load(folder).tables[0])

    def prune(name, *options):
        assert main(["prune", str(trained), "--out", str(tmp_path / name), *options]) == 0
        assert f"{rules(tmp_path / name):,} of {rules(trained):,} rules" in capsys.readouterr().out
        return tmp_path / name

    def translated(folder):
        assert main(["translate", str(folder), "--input", str(known)]) == 0
        return capsys.readouterr().out

    capsys.readouterr()
    text = ("--text", str(known))
    filtered = prune("filtered", *text)
    assert rules(filtered) < rules(trained) / 2
    assert translated(filtered) == translated(trained)
    one = prune("one", "--limit", "1")
    assert rules(one) == TranslationModel.load(trained).tables[0].sources
    train = ("--src", f"{corpus}/train.de", "--tgt", f"{corpus}/train.en")
    minus = prune("minus", *train, "--significance", "a-e")
    plus = prune("plus", *train, "--significance", "a+e", "--threads", "1")
    assert 0 < rules(plus) < rules(minus) < rules(trained)
    everything = prune("everything", *train, "--significance", "a+e", *text, "--limit", "1")
    assert 0 < rules(everything) < min(rules(plus), rules(one), rules(filtered))
    assert sorted(path.name for path in everything.iterdir()) == sorted(
        path.name for path in trained.iterdir()
    )
    assert len(translated(everything).splitlines()) == 60


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "nothing to prune by, expected a text, a limit or significance"),
        (("--limit", "-1"), "argument --limit: -1, expected at least 0"),
        (("--significance", "a-e"), "--significance and the training text (--src, --tgt) go"),
        (("--text", "none.de"), "none.de: cannot be read: No such file or directory"),
    ],
)
def test_pruning_by_nothing_is_refused(options, message, trained, tmp_path, capsys):
    assert main(["prune", str(trained), "--out", str(tmp_path / "m"), *options]) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_options_come_from_toml_and_the_command_line_goes_first(corpus, tmp_path, capsys):
    config = tmp_path / "train.toml"
    config.write_text('[tune]\ntuner = "random"\niterations = 1\n[lm]\norder = 2\n')
    given = arguments(corpus, tmp_path / "m", "--config", str(config))
    del given[given.index("--order") : given.index("--order") + 2]
    assert main(given) == 0
    assert TranslationModel.load(tmp_path / "m").language_models[0].order == 2
    config.write_text("[tune]\niteration = 1\n")
    assert main(given) == 2
    message = capsys.readouterr().err.splitlines()[-1]
    assert "train.toml: unknown key 'tune.iteration', expected one of: tuner, iterations" in message


def test_hyper_parameters_of_the_tuner(corpus, tmp_path, capsys):
    config = tmp_path / "train.toml"
    config.write_text("[tune]\niterations = 1\n[tune.options]\nC = 1\npasses = 7\n")
    given = arguments(corpus, tmp_path / "m", "--config", str(config), "--passes", "3")
    assert main(given) == 0
    tune = read_record(tmp_path / "m")["options"]["tune"]
    assert tune["options"] == {"C": 1.0, "passes": 3}
    # What the weights are is decided by them, and a stage is done again when they change.
    before = (tmp_path / "m/weights.tsv").read_text()
    assert main([*given, "--C", "0.0001"]) == 0
    assert (tmp_path / "m/weights.tsv").read_text() != before
    capsys.readouterr()
    for text, options, message in (
        ("[tune.options]\nc = 1\n", (), "unknown key 'tune.options.c', expected one of: "),
        ('[tune.options]\nC = "x"\n', (), "key 'tune.options.C' is 'x', expected a number"),
        ("[tune.options]\nC = 0\n", (), "C is 0.0, expected more than 0"),
        ("", ("--C", "x"), "--C is 'x', expected a number"),
        ("", ("--tuner", "pro"), "--passes is no option of the tuner pro"),
    ):
        config.write_text(text)
        assert main([*given, *options]) == 2
        assert message in capsys.readouterr().err


def bad(tmp_path, corpus, **changes):
    files = {name: corpus / name for name in ("train.de", "train.en", "dev.de", "dev.en")}
    for name, content in changes.items():
        path = tmp_path / name.replace("_", ".")
        path.write_bytes(content)
        files[name.replace("_", ".")] = path
    return Training(
        source=files["train.de"],
        target=files["train.en"],
        dev_source=files["dev.de"],
        dev_references=[files["dev.en"]],
        out=tmp_path / "model",
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"train_en": b"one line\n"}, "train.en"),
        ({"train_en": b"\xff\n" * PAIRS}, r"train.en:1: byte 0xff"),
        ({"dev_en": b"one line\n"}, r"dev.en: 1 lines, expected 60 as in"),
        ({"dev_de": b"", "dev_en": b""}, r"dev.de: no lines, expected sentences to tune on"),
        ({"dev_de": b" \n" * 60}, r"dev.de: no words, expected sentences to tune on"),
        ({"dev_en": b"\n" * 60}, r"dev.en: no words, expected sentences to tune on"),
        ({"train_de": b"\n" * 5, "train_en": b"\n" * 5}, "no usable sentence pairs"),
    ],
)
def test_bad_corpora_get_one_line_and_leave_no_model(tmp_path, corpus, changes, message):
    with pytest.raises(InputError, match=message):
        bad(tmp_path, corpus, **changes).run()
    assert not (tmp_path / "model").exists()


def test_bad_options_are_refused_before_any_work(tmp_path, corpus):
    with pytest.raises(OptionError, match="iterations is 0, expected at least 1"):
        Training(
            source=corpus / "train.de", target=corpus / "train.en", dev_source=corpus / "dev.de",
            dev_references=[corpus / "dev.en"], out=tmp_path / "m",
            options=TrainOptions(tune=TuneOptions(iterations=0)),
        )  # fmt: skip
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("work", ["m", "m/work", "./n/../m"])
def test_a_work_folder_in_the_model_would_go_with_it(tmp_path, corpus, work):
    with pytest.raises(OptionError, match=r"the work folder .* is in the model"):
        Training(
            source=corpus / "train.de", target=corpus / "train.en", dev_source=corpus / "dev.de",
            dev_references=[corpus / "dev.en"], out=tmp_path / "m", work_folder=tmp_path / work,
        )  # fmt: skip
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_no_model_is_not_replaced(tmp_path, corpus):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "thesis.tex").write_text("precious")
    assert main(arguments(corpus, tmp_path / "m")) == 2
    assert (tmp_path / "m" / "thesis.tex").read_text() == "precious"
