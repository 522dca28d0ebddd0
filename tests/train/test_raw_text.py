"""Raw text in a script without spaces, and no dev set: what `train` makes of them by itself."""

import random
import re

import pytest

from reference.standstill import Written, kill_when
from tunesmith.base.errors import InputError
from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.corpus.preprocess import Preprocessor
from tunesmith.corpus.split import DEV, TRAIN, sentence_keys
from tunesmith.corpus.tokenizers import NoTokenizer
from tunesmith.formats.text import read_lines
from tunesmith.model import TranslationModel
from tunesmith.train.held_out import hold_out
from tunesmith.train.scoring import bleu_tokenizer, gap_to_tokens, score_text


class Chinese:
    """German in other letters: every word has two characters of its own, marks are full-width."""

    def __init__(self):
        self.words, self.chance = {}, random.Random(3)

    def line(self, text, between):
        words = re.findall(r"\w+|[^\w\s]", text)
        return between.join(self.word(word) for word in words)

    def word(self, word):
        if not word[0].isalnum():
            return {".": "。", ",": "，", "?": "？", "!": "！"}.get(word, word)
        if word not in self.words:
            used = set(self.words.values())
            while (made := "".join(chr(self.chance.randint(0x4E00, 0x4EFF)) for _ in "ab")) in used:
                pass
            self.words[word] = made
        return self.words[word]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    phrasebook.write(folder, seed=5, dev=60, test=60, train=1500)
    chinese = Chinese()
    for part in ("train", "dev", "test"):
        lines = read_lines(folder / f"{part}.de")
        for name, between in (("raw", ""), ("zh", " ")):
            made = [chinese.line(line, between) for line in lines]
            (folder / f"{part}.{name}").write_text("".join(f"{line}\n" for line in made))
    return folder


def arguments(corpus, out, source, target="en", *more, dev=True):
    given = ["--dev-src", f"{corpus}/dev.{source}", "--dev-ref", f"{corpus}/dev.{target}"]
    return [
        "train", "--src", f"{corpus}/train.{source}", "--tgt", f"{corpus}/train.{target}",
        *(given if dev else []),
        "--test-src", f"{corpus}/test.{source}", "--test-ref", f"{corpus}/test.{target}",
        "--set", "tune.iterations=2", "--set", "tune.size=20", "--set", "lm.order=3",
        "--features", "dense", "--threads", "1", "--out", str(out), *more,
    ]  # fmt: skip


def scores(out):
    """(score, tokeniser) of each row that is printed."""
    return {
        row[0]: (float(row[1]), re.search(r"tok:(\S+?)\|", line)[1] if "tok:" in line else None)
        for line in out.splitlines()
        if (row := line.split())[0] in ("tuned", "dev", "test")
    }


def test_raw_text_has_words_that_are_learned_from_it(corpus, tmp_path, capsys):
    assert main(arguments(corpus, tmp_path / "zh", "zh")) == 0
    segmented = capsys.readouterr()
    assert "source: segmented text, whose words stay as they are" in segmented.err
    assert main(arguments(corpus, tmp_path / "raw", "raw")) == 0
    raw = capsys.readouterr()
    assert "source: learning words of a script without spaces" in raw.err
    assert scores(raw.out)["test"][1] == scores(segmented.out)["test"][1] == "13a"
    # Moses' rules make words of all characters.
    assert main(arguments(corpus, tmp_path / "x", "raw", "en", "--source-tokenizer", "moses")) == 0
    characters = scores(capsys.readouterr().out)["test"][0]
    assert characters + 1 < scores(raw.out)["test"][0] < scores(segmented.out)["test"][0]
    names = [side.tokenizer.name for side in TranslationModel.load(tmp_path / "raw").preprocessors]
    assert names == ["unigram", "moses"]


def test_translations_into_such_a_script_have_no_spaces(corpus, tmp_path, capsys):
    assert main(arguments(corpus, tmp_path / "m", "en", "raw")) == 0
    rows = capsys.readouterr().out
    printed = scores(rows)
    assert [printed[name][1] for name in ("tuned", "dev", "test")] == [None, "zh", "zh"]
    gap = printed["dev"][0] - printed["tuned"][0]
    assert abs(gap) > 1
    found = re.search(r"gap +(\S+) from tuned to dev: casing \+0\.00, .*, tokens of zh", rows)
    assert float(found[1]) == pytest.approx(gap, abs=0.011)
    assert main(["translate", str(tmp_path / "m"), "--input", f"{corpus}/test.en"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"[\u4e00-\u4eff]{4}", out)
    assert not re.search(r"[\u4e00-\u4eff] +[\u4e00-\u4eff。]", out)
    references = read_lines(corpus / "test.raw")
    found = score_text(out.splitlines(), [references])
    assert found.score == pytest.approx(printed["test"][0], abs=0.01)


def test_the_gap_between_tokens_and_running_text_is_explained():
    references = [f"The man no. {n} of House {n} / {n + 1} sleeps well." for n in range(20)]

    class Glue(NoTokenizer):
        def detokenize(self, lines, *, engine=1):
            return [line.replace("sleeps well", "sleepswell") for line in lines]

    def causes(translated, target):
        score = score_text(translated, [references])
        text = gap_to_tokens(100, score, translated, [references], target)
        return [float(number) for number in re.findall(r"[-+]\d+\.\d\d", text)]

    plain, glue = Preprocessor(NoTokenizer()), Preprocessor(Glue())
    assert causes(references, plain) == []
    whole, casing, spacing, tokens = causes([line.lower() for line in references], plain)
    assert whole == casing < -20
    assert spacing == tokens == 0
    whole, casing, spacing, tokens = causes(glue.decode(references), glue)
    assert whole == spacing < -10
    assert casing == tokens == 0


def test_pretokenised_text_stays_as_it_is(corpus, tmp_path, capsys):
    assert main(arguments(corpus, tmp_path / "m", "zh", "en", "--pretokenised")) == 0
    assert scores(capsys.readouterr().out)["test"][1] == "none"
    sides = TranslationModel.load(tmp_path / "m").preprocessors
    assert [side.encode(["图书 a,b A"]) for side in sides] == [["图书 a,b A"]] * 2


def test_each_side_has_its_own_tokeniser(corpus, tmp_path):
    more = ("--source-tokenizer", "char", "--target-tokenizer", "none")
    assert main(arguments(corpus, tmp_path / "m", "raw", "en", *more)) == 0
    sides = TranslationModel.load(tmp_path / "m").preprocessors
    assert [side.tokenizer.name for side in sides] == ["char", "none"]
    assert [side.casing.name for side in sides] == ["truecase", "none"]


def test_languages_by_name_or_refused(corpus, tmp_path, capsys):
    wrong = arguments(corpus, tmp_path / "m", "de", "en", "--source-language", "germany")
    assert main(wrong) == 2
    assert "language 'germany', expected a code or a name like de, de-DE" in capsys.readouterr().err
    assert not (tmp_path / "m.work").exists()


def test_without_a_dev_set_one_is_held_out(corpus, tmp_path, capsys):
    command = arguments(corpus, tmp_path / "m", "de", dev=False)
    assert main(command) == 0
    first = capsys.readouterr()
    work = tmp_path / "m.work" / "corpus"
    assert f"75 of 1,500 pairs are held out to tune on, lines {work}/dev.lines" in first.err
    numbers = [int(line) for line in read_lines(work / "dev.lines")]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 75
    text = {side: read_lines(corpus / f"train.{side}") for side in ("de", "en")}
    held = {side: [text[side][number - 1] for number in numbers] for side in text}
    assert read_lines(work / "dev.raw.source") == held["de"]
    assert read_lines(work / "dev.raw.reference0") == held["en"]
    # The same again, which is kept; another seed, other lines.
    assert main(command) == 0
    assert "corpus: kept from an earlier run" in capsys.readouterr().err
    assert main([*command, "--seed", "2", "--set", "tune.dev_size=40"]) == 0
    others = read_lines(work / "dev.lines")
    assert len(others) == 40
    assert set(others) - {str(number) for number in numbers}


def test_killed_without_a_dev_set_and_run_again(corpus, tmp_path):
    command = arguments(corpus, tmp_path / "m", "raw", dev=False)
    kill_when(Written(tmp_path / "m.work", "corpus"), command)
    assert main(command) == 0
    assert main([*arguments(corpus, tmp_path / "n", "raw", dev=False)]) == 0
    for name in ("weights.tsv", "source.json", "phrases.bin"):
        assert (tmp_path / "m" / name).read_bytes() == (tmp_path / "n" / name).read_bytes()


def test_what_is_held_out_shares_no_sentence_with_the_rest():
    chance = random.Random(7)
    pairs = [(f"s{chance.randint(0, 400)} x", f"t{chance.randint(0, 900)}") for _ in range(1000)]
    pairs += [("", "t"), ("s", " "), ("w " * 61, "t"), ("c" * 401, "t")]
    held = hold_out(lambda: pairs, 50, "text", seed=1, engine=1)
    sources, targets = held.lines(DEV)
    assert len(sources) == held.size(DEV) == 50
    rest = list(held.read(TRAIN))
    assert sorted(rest + list(zip(sources, targets, strict=True))) == sorted(pairs)
    for side, own in enumerate((sources, targets)):
        others = {int(key) for key in sentence_keys([pair[side] for pair in rest])}
        assert not others & {int(key) for key in sentence_keys(own)}
    again = hold_out(lambda: pairs, 50, "text", seed=1, engine=2)
    assert again.sets.tolist() == held.sets.tolist()


@pytest.mark.parametrize(("pairs", "size"), [(0, 0), (100, 0), (100, 60), (100, 10)])
def test_too_little_text_to_hold_some_out(pairs, size):
    text = [(f"a{number}", f"b{number}") for number in range(pairs)]
    with pytest.raises(InputError, match=r"train: .* too few to hold .* --dev-src and --dev-ref"):
        hold_out(lambda: text, size, "train", seed=1, engine=1)


def test_a_dev_set_needs_both_sides(corpus, tmp_path, capsys):
    command = arguments(corpus, tmp_path / "m", "de", dev=False)
    assert main([*command, "--dev-src", f"{corpus}/dev.de"]) == 2
    assert "no references for the dev set" in capsys.readouterr().err
    assert main([*command, "--dev-ref", f"{corpus}/dev.en"]) == 2
    assert "no source for the references of the dev set" in capsys.readouterr().err


def test_the_tokeniser_of_bleu_is_one_that_is_there(monkeypatch):
    monkeypatch.setattr("tunesmith.train.scoring.find_spec", lambda name: None)
    languages = ("de", "zh", "ja", "ko", "th")
    assert [bleu_tokenizer(name) for name in languages] == ["13a", "zh", "char", "13a", "char"]
    monkeypatch.setattr("tunesmith.train.scoring.find_spec", lambda name: object())
    assert [bleu_tokenizer(name) for name in languages] == [
        "13a", "zh", "ja-mecab", "ko-mecab", "char",
    ]  # fmt: skip
