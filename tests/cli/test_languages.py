"""The languages of a model: recognised by `train`, stated by it, used by the verbs, corrected."""

import hashlib
import json
import os
import shutil
import subprocess
import sys

import pytest

from reference.tiny_server import Inside
from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.model import TranslationModel

MEMORY = '<tmx version="1.4"><header srclang="de"/><body><tu><tuv xml:lang="{}"><seg>Der Mann' \
    "</seg></tuv>{}</tu></body></tmx>"  # fmt: skip
XLIFF = '<xliff version="1.2"><file source-language="{}"><trans-unit><source>Der Mann</source>' \
    "</trans-unit></file></xliff>"  # fmt: skip


def train(folder, out, source, target, *more):
    texts = ["--src", f"{folder}/{source}", "--tgt", f"{folder}/{target}"]
    small = ["--iterations", "1", "--size", "5", "--order", "3", "--threads", "1"]
    return main(["train", "--effort", "quick", *texts, "--out", str(out), *small, *more])


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A folder with texts, and the model that README's command makes of them."""
    folder = tmp_path_factory.mktemp("trained")
    phrasebook.write(folder, seed=5, dev=60, test=50, train=700)
    dev = ["--dev-src", f"{folder}/dev.de", "--dev-ref", f"{folder}/dev.en"]
    assert train(folder, folder / "model", "train.de", "train.en", *dev) == 0
    return folder


@pytest.fixture
def model(trained, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(trained / "model", "model")
    return tmp_path / "model"


@pytest.fixture
def old(model):
    """The model as a version that recognised no languages made it: English and English."""
    text = (model / "model.toml").read_text()
    (model / "model.toml").write_text(
        "".join(line for line in text.splitlines(True) if "_language =" not in line)
    )
    record = json.loads((model / "run.json").read_text())
    record["options"]["text"] |= {"source_language": "", "target_language": ""}
    (model / "run.json").write_text(json.dumps(record))
    source = json.loads((model / "source.json").read_text())
    source["tokenizer"]["language"] = "en"
    (model / "source.json").write_text(json.dumps(source))
    return model


def translate(name, text, capsys, *more):
    with open(name, "w") as stream:
        stream.write(text)
    code = main(["translate", "model", "--input", name, *more])
    said = capsys.readouterr()
    return code, said.out, said.err


def set_language(*options):
    return main(["model", "set-language", "model", "--quiet", *options])


def test_train_recognises_languages(trained, capsys):
    model = TranslationModel.load(trained / "model")
    assert model.languages == ("de", "en")
    assert [side.tokenizer.language for side in model.preprocessors] == ["de", "en"]
    options = json.loads((trained / "model/run.json").read_text())["options"]["text"]
    assert (options["source_language"], options["target_language"]) == ("de", "en")
    assert main(["inspect", str(trained / "model")]) == 0
    assert "  German → English\n" in capsys.readouterr().out


def test_by_text_where_names_say_nothing_and_to_be_overruled(trained, tmp_path, capsys):
    for side in ("de", "en"):
        shutil.copy(trained / f"train.{side}", tmp_path / f"text-{side}-1")
    (tmp_path / "text-de-1").rename(tmp_path / "a")
    (tmp_path / "text-en-1").rename(tmp_path / "b")
    assert train(tmp_path, tmp_path / "m", "a", "b", "--dry-run") == 0
    assert "languages: German → English\n" in capsys.readouterr().err
    given = ("--source-language", "nds", "--target-language", "und")
    assert train(tmp_path, tmp_path / "m", "a", "b", *given) == 0
    assert "language" not in capsys.readouterr().err.replace("language model", "")
    assert TranslationModel.load(tmp_path / "m").languages == ("nds", None)


def test_equal_languages_are_refused_unless_given(trained, tmp_path, capsys):
    lines = (trained / "train.en").read_text().splitlines(True)
    (tmp_path / "mt").write_text("".join(line.lower().replace("the", "a") for line in lines))
    shutil.copy(trained / "train.en", tmp_path / "edited")
    assert train(tmp_path, tmp_path / "m", "mt", "edited") == 2
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .startswith(
            "tunesmith train: source and target are both English (en), expected two languages; "
        )
    )
    assert not (tmp_path / "m.work").exists()
    both = ("--source-language", "en", "--target-language", "en")
    assert train(tmp_path, tmp_path / "m", "mt", "edited", *both, "--dry-run") == 0


def test_documents_are_translated(model, capsys):
    code, out, err = translate("a.tmx", MEMORY.format("DEU", ""), capsys)
    assert (code, err) == (0, "")
    assert '<tuv xml:lang="en"><prop type="x-mt">tunesmith</prop><seg>The man</seg></tuv>' in out
    code, out, err = translate("a.xlf", XLIFF.format("de-AT"), capsys)
    assert (code, err) == (0, "")
    assert ' target-language="en">' in out
    assert ">The man</target>" in out


@pytest.mark.parametrize(
    ("name", "text", "code", "error"),
    [
        ("a.tmx", MEMORY.format("fr", ""), 2,
         "tunesmith translate: a.tmx: no unit in de, only fr, expected the model's source; "
         "a model's languages are corrected by `tunesmith model set-language`\n"),
        ("a.tmx", MEMORY.format("de", '<tuv xml:lang="en"><seg>The man</seg></tuv>'), 0,
         "warning: a.tmx: nothing to translate: all units in de are in en too\n"),
        ("a.xlf", XLIFF.format("fr"), 0,
         "warning: a.xlf: source-language is fr, and the model's de\n"),
        ("a.xlf", XLIFF.format("de").replace("</source>", "</source><target>x</target>"), 0,
         "warning: a.xlf: nothing to translate: all units have translations\n"),
        ("a.po", 'msgid ""\nmsgstr ""\n"Language: it\\n"\n\nmsgid "Der Mann"\nmsgstr ""\n', 0,
         "warning: a.po: Language is it, and the model's en\n"),
        ("a.html", '<!DOCTYPE html><html class=a lang="fr"><p>Der Mann', 0,
         "warning: a.html: lang is fr, and the model's de\n"),
        ("b.html", "<html lang=de-AT><p>Der Mann", 0, ""),
        ("b.po", 'msgid ""\nmsgstr ""\n"Language: en_GB\\n"\n\nmsgid "Der Mann"\nmsgstr ""\n', 0,
         ""),
    ],
)  # fmt: skip
def test_documents_in_other_languages(model, capsys, name, text, code, error):
    assert translate(name, text, capsys)[::2] == (code, error)


def test_an_old_model_calls_itself_nothing(old, capsys):
    assert TranslationModel.load(old).languages == (None, None)
    code, _, error = translate("a.tmx", MEMORY.format("de", ""), capsys)
    assert (code, error) == (2, (
        "tunesmith translate: a.tmx: the model's target language is undetermined; state it with "
        "`tunesmith model set-language`\n"
    ))  # fmt: skip


def test_an_old_model_that_knows_one_language(old):
    record = json.loads((old / "run.json").read_text())
    record["options"]["text"]["source_language"] = "de-DE"
    (old / "run.json").write_text(json.dumps(record))
    # Its target's tokeniser is English, by default but rightly.
    assert TranslationModel.load(old).languages == ("de", "en")


def test_set_language_repairs_an_old_model(old, capsys):
    shutil.copytree("model", "linked", copy_function=os.link)
    others = {path: digest(path) for path in old.iterdir() if path.name[:3] not in ("mod", "run")}
    assert main(["model", "set-language", "model", "--source", "German", "--target", "en_US"]) == 0
    assert capsys.readouterr().err == "model: German → English\n"
    assert {path: digest(path) for path in others} == others
    assert json.loads((old / "run.json").read_text())["languages"] == ["de", "en"]
    assert TranslationModel.load("linked").languages == (None, None)
    code, out, _ = translate("a.tmx", MEMORY.format("de", ""), capsys)
    assert code == 0
    assert "<seg>The man</seg>" in out
    before = (old / "model.toml").read_text()
    assert set_language("--source", "fr") == 0
    assert (old / "model.toml").read_text() == before.replace('"de"', '"fr"')


def test_languages_of_a_model_of_other_text_rules_can_be_set(old):
    source = (old / "source.json").read_text()
    (old / "source.json").write_text(source.replace('"text_rules": ', '"text_rules": 1000'))
    assert set_language("--source", "de", "--target", "en") == 0
    assert TranslationModel.load(old).languages == ("de", "en")


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_layer_stays_on_its_model(old, capsys):
    with open("edits.tsv", "w") as stream:
        stream.write("Der Mann\tThe gentleman\n")
    assert main(["adapt", "model", "--layer", "layer", "--post-edits", "edits.tsv"]) == 0
    assert set_language("--source", "de", "--target", "en") == 0
    capsys.readouterr()
    code, out, err = translate("a.txt", "Der Mann\n", capsys, "--layer", "layer")
    assert (code, out, err) == (0, "The gentleman\n", "")
    assert main(["adapt", "model", "--layer", "layer", "--export", "layer.tmx"]) == 0
    with open("layer.tmx") as stream:
        assert '<tuv xml:lang="de"><seg>Der Mann</seg></tuv><tuv xml:lang="en">' in stream.read()


def test_corrections_of_a_memory_in_the_models_languages(model, capsys):
    units = '<tuv xml:lang="eng"><seg>The gentleman</seg></tuv>'
    with open("edits.tmx", "w") as stream:
        stream.write(MEMORY.replace('srclang="de"', 'srclang="en"').format("deu", units))
    assert main(["adapt", "model", "--layer", "layer", "--post-edits", "edits.tmx"]) == 0
    capsys.readouterr()
    assert main(["adapt", "model", "--layer", "layer", "--list"]) == 0
    assert capsys.readouterr().out.split("\t")[2::2] == ["Der Mann", "The gentleman\n"]


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ("model", "no language, expected --source, --target or both"),
        ("model --source en", "source and target would both be English, expected two languages; "
         "for a model of post-editing or paraphrases give both --source and --target"),
        ("model --target klingon", "language 'klingon', expected a code or a name like de, de-DE "
         "or german, or und for an undetermined one"),
        ("none --source de", "none: no readable model.toml in it, expected a model directory; "
         "make one with `tunesmith train` or `tunesmith import`"),
    ],
)  # fmt: skip
def test_set_language_refuses(model, capsys, options, error):
    before = digest(model / "model.toml")
    assert main(["model", "set-language", *options.split()]) == 2
    assert capsys.readouterr().err == f"tunesmith model: {error}\n"
    assert digest(model / "model.toml") == before


def test_equal_languages_can_be_set(model):
    assert (
        main(["model", "set-language", "model", "--source", "en", "--target", "en", "--quiet"]) == 0
    )
    assert TranslationModel.load(model).languages == ("en", "en")
    assert set_language("--source", "und") == 0
    assert TranslationModel.load(model).languages == (None, "en")


def test_served_languages(model):
    server = Inside([model])
    try:
        assert server("GET", "/languages").json() == [
            {"code": "de", "name": "German", "targets": ["en"]},
            {"code": "en", "name": "English", "targets": []},
        ]
        asked = {"q": "Der Mann steht auf der Straße.", "source": "auto", "target": "en"}
        found = server("POST", "/translate", json=asked).json()["detectedLanguage"]
        assert found["language"] == "de"
        assert found["confidence"] > 95
        asked["q"] = "Un homme est debout dans la rue."
        found = server("POST", "/translate", json=asked).json()["detectedLanguage"]
        assert found["confidence"] < 5
    finally:
        server.parts.close()


def test_a_model_of_undetermined_languages_is_served(old, caplog):
    server = Inside([old])
    try:
        assert caplog.messages == [
            "the languages of model are undetermined (und-und): it answers requests for any; name "
            f"them as in de-en={old}, or with `tunesmith model set-language`"
        ]
        listed = {"code": "und", "name": "Undetermined", "targets": ["und"]}
        assert server("GET", "/languages").json() == [listed]
        for source, target in (("de", "en"), ("und", "und"), ("auto", "en"), ("de", "it")):
            asked = {"q": "Der Mann", "source": source, "target": target}
            assert server("POST", "/translate", json=asked).json()["translatedText"] == "The man"
        answer = server("POST", "/translate", json={**asked, "q": "Где вокзал?", "source": "auto"})
        assert answer.json()["detectedLanguage"]["language"] == "ru"
        assert server("POST", "/detect", json={"q": "Где вокзал?"}).json()[0]["language"] == "ru"
        assert server("POST", "/detect", json={"q": "1"}).json() == [
            {"confidence": 0.0, "language": "und"}
        ]
    finally:
        server.parts.close()


def test_a_determined_language_goes_first(model, old, tmp_path):
    shutil.copytree(model, tmp_path / "any")
    assert (
        main(["model", "set-language", "model", "--source", "de", "--target", "en", "--quiet"]) == 0
    )
    server = Inside([tmp_path / "any", model])
    try:
        models = server.parts.models
        assert models.between("de", "en").name == "model"
        assert models.between("fr", "en").name == "any"
        assert [one.name for one in models.into("en")] == ["model"]
        assert [one.name for one in models.into("fr")] == ["any"]
    finally:
        server.parts.close()


def test_translating_does_not_load_the_identifier(model):
    with open("a.tmx", "w") as stream:
        stream.write(MEMORY.format("de", ""))
    code = (
        "import sys; from tunesmith.cli.main import main; "
        "main(['translate', 'model', '--input', 'a.tmx', '--out', 'b.tmx']); "
        "print('py3langid' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
