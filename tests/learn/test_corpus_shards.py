"""Shards of a corpus with grammars of their sentences: whole, the same by any engine, resumed."""

import json

import numpy as np
import pytest

from reference.shard_engines import ENGINES
from reference.standstill import Written, kill_when
from reference.tiny_models import random_links
from tunesmith.base.errors import InputError, OptionError
from tunesmith.cli.main import main
from tunesmith.corpus import Bitext
from tunesmith.formats.pharaoh import Links
from tunesmith.grammar import HieroIndex, HieroOptions, ScfgGrammar
from tunesmith.grammar.packed_grammars import PackedGrammars, write_grammars
from tunesmith.learn.shards import Sharding, Shards

PAIRS = 23


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    sources, targets, lists = random_links(np.random.default_rng(3), PAIRS)
    text, links = Bitext.from_lines(sources, targets), Links.from_lists(lists)
    text.save(folder / "text.bin")
    HieroOptions(engine=1).run(text, links, folder / "index.bin")
    for name, lines in (("source", sources), ("target", targets)):
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    (folder / "links").write_text(
        "".join(" ".join(f"{s}-{t}" for s, t in pairs) + "\n" for pairs in lists)
    )
    return folder


def cut(corpus, out, **options):
    return Sharding(**{"size": 5, "engine": 1, **options}).run(
        corpus / "text.bin", corpus / "index.bin", out
    )


def contents(folder):
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in {"text.bin", "index.bin"}
    }


def test_every_pair_has_the_rules_of_the_others(corpus, tmp_path):
    shards = cut(corpus, tmp_path / "out")
    assert [shard.pairs for shard in shards] == [4, 5, 4, 5, 5]
    assert shards[-1].folder == tmp_path / "out" / "0004"
    text, index = Bitext.load(corpus / "text.bin"), HieroIndex(corpus / "index.bin")
    number = 0
    for shard in Shards(tmp_path / "out"):
        found = shard.open()
        assert shard.begin == number
        for source, target, grammar in zip(
            found.sources, found.targets, found.grammars, strict=True
        ):
            assert [source, target] == [
                side.lines(number, number + 1)[0] for side in (text.source, text.target)
            ]
            own = index.rules(source, leave_out=number).grammar()
            assert list(grammar.lines()) == list(own.lines())
            number += 1
    assert number == PAIRS
    with_own = cut(corpus, tmp_path / "own", leave_out=False)[0].open()
    whole = index.rules(with_own.sources[0]).grammar()
    assert list(with_own.grammars[0].lines()) == list(whole.lines())


@pytest.mark.parametrize("engine", ENGINES, ids=str)
def test_the_same_files_by_any_engine(corpus, tmp_path, engine):
    cut(corpus, tmp_path / "one")
    cut(corpus, tmp_path / "other", engine=engine)
    assert contents(tmp_path / "one") == contents(tmp_path / "other")


def test_a_missing_or_changed_shard_is_named_and_made_again(corpus, tmp_path):
    out = tmp_path / "out"
    shards = cut(corpus, out)
    before = contents(out)
    (out / "0001" / "grammars.bin").unlink()
    with (out / "0003" / "target.txt").open("a") as stream:
        stream.write("more\n")
    with pytest.raises(InputError) as caught:
        shards[1].open()
    remedy = "`tunesmith shard` with the same options makes what is missing again"
    missing = out / "0001" / "grammars.bin"
    assert str(caught.value) == f"{missing}: missing, expected shard 0001 whole; {remedy}"
    with pytest.raises(InputError) as caught:
        shards[3].check()
    assert str(caught.value) == (
        f"{out}/0003/target.txt: changed since the manifest was written, expected shard 0003 as it "
        f"was; {remedy}"
    )
    shards[0].open()
    with pytest.raises(InputError, match="0001"):
        shards.check()
    cut(corpus, out).check()
    assert contents(out) == before


def test_other_settings_are_refused(corpus, tmp_path):
    cut(corpus, tmp_path / "out")
    with pytest.raises(OptionError, match=r"holds a corpus in shards with other settings \(size"):
        cut(corpus, tmp_path / "out", size=6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "No such file or directory, expected a corpus in shards"),
        ("{", "no JSON"),
        ("[]", "no JSON object"),
        ("{}", "no list of shards"),
        ('{"pairs": 3, "shards": []}', "shards of another corpus, expected 3 pairs"),
        ('{"pairs": 3, "shards": [{"name": 3}]}', "no list of shards"),
    ],
)
def test_a_broken_manifest_is_refused(tmp_path, text, message):
    if text is not None:
        (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(InputError, match=f"^{tmp_path}/manifest.json: {message}"):
        Shards(tmp_path)


def test_an_index_of_another_text_is_refused(corpus, tmp_path):
    Bitext.from_lines(["a"], ["b"]).save(tmp_path / "text")
    with pytest.raises(InputError, match="an index of 23 pairs, expected 1, as "):
        Sharding(engine=1).run(tmp_path / "text", corpus / "index.bin", tmp_path / "out")


def test_grammars_in_one_file(tmp_path):
    write_grammars(tmp_path / "none", [])
    assert list(PackedGrammars(tmp_path / "none")) == []
    (tmp_path / "text").write_text("[X] ||| a ||| b ||| f=0.1\n[X] ||| c ||| d ||| g=2\n")
    some = [ScfgGrammar.read(tmp_path / "text"), ScfgGrammar.read()]
    write_grammars(tmp_path / "some", some)
    found = PackedGrammars(tmp_path / "some")
    assert [list(one.lines()) for one in found] == [list(one.lines()) for one in some]
    assert list(found[-2].lines()) == list(found[:1][0].lines()) == list(some[0].lines())
    with pytest.raises(IndexError):
        found[2]


def words(corpus, out):
    return ["shard", "--src", f"{corpus}/source", "--tgt", f"{corpus}/target", "--links",
            f"{corpus}/links", "--size", "1", "--threads", "1", "--out", str(out)]  # fmt: skip


def test_killed_at_any_moment_it_ends_with_the_same_shards(corpus, tmp_path, capsys):
    assert main(words(corpus, tmp_path / "whole")) == 0
    assert capsys.readouterr().out == f"23 shards, 23 pairs: {tmp_path}/whole\n"
    out = tmp_path / "killed"
    kill_when(Written(out, "0001"), words(corpus, out))
    assert main(words(corpus, out)) == 0
    assert {k: v for k, v in contents(out).items() if "making" not in k} == contents(
        tmp_path / "whole"
    )
    assert not list(out.glob(".making*"))
    assert main(["shard", "--check", "--out", str(out)]) == 0


def test_the_command_refuses(corpus, tmp_path, capsys):
    out = f"--out={tmp_path / 'out'}"
    for given, message in (
        ([], "expected --src and --links, or --work"),
        (["--src", "a"], "expected --src and --links, or --work"),
        (["--src", "a", "--links", "b", "--work", "c"], "expected --src and --links, or --work"),
        (["--work", "none"], "none/corpus/bitext.bin: missing, expected the work folder"),
        (["--work", "none", "--max-span", "5"], "options of the rules are those of the training"),
        (["--check"], f"{tmp_path}/out/manifest.json: No such file or directory"),
    ):
        assert main(["shard", *given, out]) == 2
        assert capsys.readouterr().err.startswith(f"tunesmith shard: {message}")
    (tmp_path / "links").write_text("0-0\n")
    command = words(corpus, tmp_path / "short")
    command[command.index("--links") + 1] = str(tmp_path / "links")
    assert main(command) == 2
    assert "links: 1 lines, expected 23 as in" in capsys.readouterr().err


def test_the_manifest_says_what_was_cut(corpus, tmp_path):
    cut(corpus, tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["pairs"] == PAIRS
    assert manifest["leave_out"] is True
    assert [one["name"] for one in manifest["shards"]] == [f"{n:04}" for n in range(5)]
    assert set(manifest["shards"][0]["files"]) == {"source.txt", "target.txt", "grammars.bin"}
