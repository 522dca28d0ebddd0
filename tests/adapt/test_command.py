"""`tunesmith adapt`: corrections from files, killed and begun again; lists, exports, merges."""

import json

import pytest

from reference.standstill import Written, kill_when
from tunesmith.adapt import AdaptedModel
from tunesmith.cli.main import main
from tunesmith.formats.tmx import read_tmx


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def write_pairs(path, pairs):
    path.write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    return str(path)


def adapt(model, layer, *options):
    return main(["adapt", str(model), "--layer", str(layer), "--quiet", "--threads", "1", *options])


@pytest.fixture(scope="module")
def learned(phrases, pairs, tmp_path_factory):
    """A layer with eight corrections of a file."""
    folder = tmp_path_factory.mktemp("learned")
    edits = write_pairs(folder / "edits.tsv", pairs[:8])
    assert adapt(phrases, folder / "layer", "--post-edits", edits) == 0
    return folder


def test_a_file_is_learned_and_translated_with(learned, phrases, pairs, tmp_path, capsys):
    (tmp_path / "in").write_text("".join(f"{source}\n" for source, _ in pairs[:8]))
    run = ["translate", str(phrases), "--input", f"{tmp_path}/in", "--out", f"{tmp_path}/out"]
    assert main([*run, "--layer", str(learned / "layer")]) == 0
    found = (tmp_path / "out").read_text().splitlines()
    right = sum(one == target for one, (_, target) in zip(found, pairs, strict=False))
    assert right >= 7
    assert main(run) == 0
    before = (tmp_path / "out").read_text().splitlines()
    assert sum(one == target for one, (_, target) in zip(before, pairs, strict=False)) < right


def test_two_files_and_memories_are_the_same_corrections(learned, phrases, pairs, tmp_path):
    for place, name in enumerate(("src", "tgt")):
        (tmp_path / name).write_text("".join(f"{pair[place]}\n" for pair in pairs[:8]))
    files = ["--src", f"{tmp_path}/src", "--tgt", f"{tmp_path}/tgt", "--out", f"{tmp_path}/out"]
    assert adapt(phrases, tmp_path / "two", *files) == 0
    assert contents(tmp_path / "two") == contents(learned / "layer")
    made = AdaptedModel(phrases, tmp_path / "two", engine=1).log
    assert (tmp_path / "out").read_text().splitlines() == [one.before for one in made]
    assert adapt(phrases, learned / "layer", "--export", f"{tmp_path}/memory.tmx") == 0
    assert list(read_tmx(tmp_path / "memory.tmx", "de", "en")) == pairs[:8]
    assert adapt(phrases, tmp_path / "tmx", "--post-edits", f"{tmp_path}/memory.tmx") == 0
    assert contents(tmp_path / "tmx") == contents(learned / "layer")


def test_a_killed_run_goes_on(learned, phrases, pairs, tmp_path):
    layer = tmp_path / "layer"
    edits = ("--post-edits", str(learned / "edits.tsv"))
    kill_when(
        Written(layer / "corrections.jsonl", text="\n", times=3),
        ["adapt", phrases, "--quiet", "--threads", "1", "--layer", layer, *edits],
    )
    assert adapt(phrases, layer, *edits) == 0
    assert contents(layer) == contents(learned / "layer")


def test_lines_that_were_added_are_learned(learned, phrases, pairs, tmp_path, capsys):
    edits = tmp_path / "edits.tsv"
    write_pairs(edits, pairs[:5])
    assert adapt(phrases, tmp_path / "layer", "--post-edits", str(edits)) == 0
    write_pairs(edits, pairs[:8])
    capsys.readouterr()
    assert adapt(phrases, tmp_path / "layer", "--post-edits", str(edits)) == 0
    assert "layer: 3 corrections learned" in capsys.readouterr().out
    assert contents(tmp_path / "layer") == contents(learned / "layer")
    assert adapt(phrases, tmp_path / "layer", "--post-edits", str(edits)) == 0
    assert contents(tmp_path / "layer") == contents(learned / "layer")
    assert adapt(phrases, tmp_path / "layer", "--post-edits", str(edits), "--again") == 0
    assert AdaptedModel(phrases, tmp_path / "layer").version == 16


def test_a_replay_gives_the_same_bytes(learned, phrases, pairs, tmp_path):
    layer = tmp_path / "layer"
    assert adapt(phrases, layer, "--merge", str(learned / "layer")) == 0
    assert adapt(phrases, layer, "--undo", "3") == 0
    AdaptedModel(phrases, layer, engine=1).correct(*pairs[10])
    assert adapt(phrases, layer, "--undo") == 0
    assert adapt(phrases, layer, "--replay", str(tmp_path / "again")) == 0
    assert contents(tmp_path / "again") == contents(layer)


def test_layers_are_merged_once(learned, phrases, pairs, tmp_path, capsys):
    own = write_pairs(tmp_path / "own.tsv", [pairs[20], *pairs[:2]])
    assert adapt(phrases, tmp_path / "layer", "--post-edits", own) == 0
    capsys.readouterr()
    assert adapt(phrases, tmp_path / "layer", "--merge", str(learned / "layer")) == 0
    assert "6 corrections of" in capsys.readouterr().out
    adapted = AdaptedModel(phrases, tmp_path / "layer", engine=1)
    assert [(one.source, one.correction) for one in adapted.log] == [
        pairs[20], *pairs[:2], *pairs[2:8],
    ]  # fmt: skip
    assert adapt(phrases, tmp_path / "layer", "--merge", str(learned / "layer")) == 0
    assert "0 corrections of" in capsys.readouterr().out


def test_corrections_are_listed(learned, phrases, pairs, tmp_path, capsys):
    assert adapt(phrases, tmp_path / "layer", "--merge", str(learned / "layer")) == 0
    assert adapt(phrases, tmp_path / "layer", "--undo", "2") == 0
    capsys.readouterr()
    assert adapt(phrases, tmp_path / "layer", "--list") == 0
    rows = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert [row[0] for row in rows] == list("12345678")
    assert [row[1] == "undone" for row in rows] == [row[0] == "2" for row in rows]
    assert [(row[2], row[4]) for row in rows] == pairs[:8]
    assert adapt(phrases, tmp_path / "layer", "--list", "--json") == 0
    values = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["undone"] for one in values] == [one["id"] == 2 for one in values]
    assert adapt(phrases, tmp_path / "layer", "--export", "-") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{source}\t{target}" for source, target in (pairs[0], *pairs[2:8])]
    assert adapt(phrases, tmp_path / "layer", "--export", f"{tmp_path}/log.jsonl") == 0
    assert adapt(phrases, tmp_path / "new", "--post-edits", f"{tmp_path}/log.jsonl") == 0
    assert [one.source for one in AdaptedModel(phrases, tmp_path / "new").log] == [
        source for source, _ in (pairs[0], *pairs[2:8])
    ]


def test_a_layer_is_dropped_and_nothing_else(learned, phrases, tmp_path, capsys):
    assert adapt(phrases, tmp_path / "layer", "--merge", str(learned / "layer")) == 0
    (tmp_path / "layer" / "mine").write_text("stays")
    assert adapt(phrases, tmp_path / "layer", "--drop") == 0
    assert contents(tmp_path / "layer") == {"mine": b"stays"}
    assert adapt(phrases, tmp_path / "layer", "--drop") == 2
    assert capsys.readouterr().err == (
        f"tunesmith adapt: {tmp_path}/layer: no readable layer.json in it, expected a layer; make "
        "one with `tunesmith adapt`\n"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ja.\tYes.\nNein.\t\n", "2: the correction is empty, expected a sentence"),
        (
            "Ja.\tYes.\nNein.\tN\x1bo.\n",
            "2: the correction has the control character U+001B, expected a line of text",
        ),
        (
            "Ja.\tYes.\nNein.\n",
            "2: 1 column, expected 2, source and target with a tab between them; cut out the two "
            "columns",
        ),
        (
            f"Ja.\t{'yes ' * 5000}\n",
            "1: the correction has 5,000 words, expected at most 200: correct sentences one by one",
        ),
    ],
)
def test_bad_lines_are_named(text, message, phrases, tmp_path, capsys):
    edits = tmp_path / "edits.tsv"
    edits.write_text(text)
    assert adapt(phrases, tmp_path / "layer", "--post-edits", str(edits)) == 2
    assert capsys.readouterr().err == f"tunesmith adapt: {edits}:{message}\n"


def test_wrong_options_are_refused(learned, phrases, tmp_path, capsys):
    layer = learned / "layer"
    assert adapt(phrases, layer, "--src", "a") == 2
    assert capsys.readouterr().err == "tunesmith adapt: --src FILE and --tgt FILE go together\n"
    edits = str(learned / "edits.tsv")
    assert adapt(phrases, layer, "--post-edits", edits, "--rate", "0.5") == 2
    assert "rate is 0.5, but" in capsys.readouterr().err
    assert adapt(phrases, tmp_path / "none", "--undo") == 2
    assert "no readable layer.json in it" in capsys.readouterr().err
    assert not (tmp_path / "none").exists()
    run = ["translate", str(phrases), "--layer", str(tmp_path / "none")]
    assert main(run) == 2
    assert "no readable layer.json in it, expected a layer" in capsys.readouterr().err
    assert adapt(phrases, layer, "--replay", str(layer)) == 2
    assert capsys.readouterr().err == f"tunesmith adapt: {layer}: exists, expected a new name\n"
