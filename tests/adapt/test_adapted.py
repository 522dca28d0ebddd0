"""A model with corrections: what it learns, what it takes back, and that it repeats exactly."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor

import pytest

from tunesmith.adapt import AdaptedModel, AdaptOptions
from tunesmith.base.errors import InputError, OptionError
from tunesmith.decode import KBest, Terms
from tunesmith.decode.translate import Translator


def contents(folder):
    """All files of a folder but locks."""
    return {
        path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != ".lock"
    }


def learned(folder):
    """What a layer has learned: its rules and weights, whatever the log says of the way there."""
    return {name: contents(folder)[name] for name in ("rules.bin", "weights.tsv")}


def digest(folder):
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture
def adapted(model, tmp_path):
    return AdaptedModel(model, tmp_path / "layer", engine=1)


def taught(model, folder, pairs, **options):
    adapted = AdaptedModel(model, folder, AdaptOptions(**options), engine=1)
    for source, correction in pairs:
        adapted.correct(source, correction, time="")
    return adapted


def test_a_layer_without_corrections_changes_nothing(adapted, model, pairs):
    lines = [source for source, _ in pairs]
    assert Translator(adapted.decoder).translate(lines) == Translator(adapted.base).translate(lines)
    assert adapted.version == 0
    assert adapted.log == []


@pytest.mark.parametrize("times", [1, 4])
def test_forbidden_words_are_not_learned_rules_either(adapted, pairs, times):
    """Four times the sentence is longer than any phrase: the layer has a rule for all of it."""
    source = " ".join([pairs[0][0]] * times)
    correction = " ".join(["The quick parrot sleeps in the corner of the room."] * times)
    assert adapted.correct(source, correction).after == correction
    for forbid in (["parrot"], ["quick parrot"], ["in the corner of the"]):
        terms = Terms(forbid=forbid)
        translator = Translator(adapted.decoder, weights=adapted.weights, terms=terms, size=5)
        [block] = translator.stream([source])
        assert forbid[0] not in block.texts[0].lower()
        assert not any(forbid[0] in text.lower() for text in block.running_texts(0))
    assert Translator(adapted.decoder, weights=adapted.weights).translate(source) == correction


def test_a_correction_is_what_the_sentence_becomes(adapted, pairs):
    source = pairs[0][0]
    made = adapted.correct(source, "The quick parrot sleeps in the corner of the room.")
    assert made.before == Translator(adapted.base).translate(source)
    assert made.after == "The quick parrot sleeps in the corner of the room."
    assert (made.id, made.version, adapted.version, made.reachable) == (1, 1, 1, False)
    assert Translator(adapted.decoder).translate(source) == made.after
    assert made.rules


def test_a_word_never_seen_is_translated_as_corrected_in_other_sentences(adapted):
    before = adapted.translate("Ich suche den Quastenflosser.")
    adapted.correct("Wo ist der Quastenflosser?", "Where is the coelacanth?")
    after = adapted.translate("Ich suche den Quastenflosser.")
    assert "coelacanth" not in before
    assert "coelacanth" in after


def test_a_correction_is_written_as_it_was_written(adapted, model, pairs):
    correction = "the  BIRD ( a Parrot ) / Sleeps ."
    made = adapted.correct(pairs[0][0], correction)
    assert made.after == correction
    again = AdaptedModel(model, adapted.folder.path, engine=1)
    assert again.translate(pairs[0][0]) == correction
    again.undo()
    assert again.translate(pairs[0][0]) == made.before


@pytest.mark.parametrize("source", ["der Vogel schläft.", "Der Vogel schläft."])
@pytest.mark.parametrize("correction", ["the bird sleeps.", "The bird sleeps."])
def test_a_correction_starts_as_it_was_written(source, correction, adapted):
    assert adapted.correct(source, correction).after == correction


def test_words_that_can_be_made_are_reachable(adapted, pairs):
    source = pairs[3][0]
    made = adapted.correct(source, Translator(adapted.base).translate(source))
    assert made.reachable
    assert made.before == made.after == made.correction


def test_the_model_stays_as_it_is(model, tmp_path, pairs):
    before = digest(model)
    taught(model, tmp_path / "layer", pairs[:6]).undo(2)
    assert digest(model) == before


def test_the_same_corrections_give_the_same_bytes(model, tmp_path, pairs):
    for name in ("one", "other"):
        taught(model, tmp_path / name, pairs[:8])
    assert contents(tmp_path / "one") == contents(tmp_path / "other")


def test_threads_change_nothing(model, tmp_path, pairs):
    for threads in (1, 4):
        adapted = AdaptedModel(model, tmp_path / str(threads), engine=threads)
        for source, correction in pairs[:6]:
            adapted.correct(source, correction, time="")
    assert contents(tmp_path / "1") == contents(tmp_path / "4")


@pytest.mark.parametrize("number", [1, 3, 6])
def test_an_undone_correction_was_never_made(number, model, tmp_path, pairs):
    taught(model, tmp_path / "with", pairs[:6]).undo(number, time="")
    rest = [pair for place, pair in enumerate(pairs[:6], 1) if place != number]
    without = taught(model, tmp_path / "without", rest)
    with_it = AdaptedModel(model, tmp_path / "with", engine=1)
    assert with_it.weights == without.weights
    assert with_it.version == 7
    lines = [source for source, _ in pairs]
    found, expected = (one.decoder.decode(lines, want=KBest(5)) for one in (with_it, without))
    assert list(found.texts) == list(expected.texts)
    assert found.features.tobytes() == expected.features.tobytes()
    assert [one.undone for one in with_it.log] == [n == number for n in range(1, 7)]


def test_undone_twice_and_all_undone(adapted, pairs):
    for source, correction in pairs[:3]:
        adapted.correct(source, correction)
    assert adapted.undo() == 3
    assert adapted.undo() == 2
    adapted.correct(*pairs[4])
    assert adapted.undo(1) == 1
    with pytest.raises(OptionError, match=r"^correction 1 is undone already$"):
        adapted.undo(1)
    with pytest.raises(OptionError, match=r"^correction 9 does not exist$"):
        adapted.undo(9)
    assert adapted.undo() == 4
    assert adapted.weights == adapted._first
    with pytest.raises(OptionError, match=r"has no correction to undo$"):
        adapted.undo()
    lines = [source for source, _ in pairs]
    assert Translator(adapted.decoder).translate(lines) == Translator(adapted.base).translate(lines)


def test_a_layer_goes_on_where_it_was(model, tmp_path, pairs):
    taught(model, tmp_path / "at once", pairs[:6])
    for pair in pairs[:6]:
        taught(model, tmp_path / "one by one", [pair])
    assert contents(tmp_path / "at once") == contents(tmp_path / "one by one")


def test_rules_are_made_again_from_the_log(model, tmp_path, pairs):
    folder = tmp_path / "layer"
    taught(model, folder, pairs[:4])
    before = learned(folder)
    for damage in (lambda path: path.unlink(), lambda path: path.write_bytes(b"nothing")):
        damage(folder / "rules.bin")
        AdaptedModel(model, folder, engine=1)
        assert learned(folder) == before


def test_a_line_that_a_kill_cut_off_is_not_there(model, tmp_path, pairs):
    folder = tmp_path / "layer"
    taught(model, folder, pairs[:3])
    whole = contents(folder)
    lines = whole["corrections.jsonl"].splitlines(keepends=True)
    (folder / "corrections.jsonl").write_bytes(b"".join(lines[:2]) + lines[2][:40])
    adapted = AdaptedModel(model, folder, engine=1)
    assert adapted.version == 2
    adapted.correct(*pairs[2], time="")
    assert contents(folder) == whole


def test_a_decoder_of_before_can_still_be_used(adapted, pairs):
    lines = [source for source, _ in pairs]
    adapted.correct(*pairs[0])
    old = adapted.decoder
    before = Translator(old).translate(lines)
    for pair in pairs[1:8]:
        adapted.correct(*pair)
    assert adapted.decoder is not old
    assert Translator(old).translate(lines) == before


def test_corrections_from_many_threads_are_made_one_after_the_other(adapted, pairs):
    with ThreadPoolExecutor(4) as threads:
        made = list(threads.map(lambda pair: adapted.correct(*pair), pairs[:8]))
    assert sorted(one.id for one in made) == list(range(1, 9))
    assert [one.source for one in adapted.log] == [
        one.source for one in sorted(made, key=lambda one: one.id)
    ]


def test_another_process_is_noticed(phrases, tmp_path, pairs):
    one, other = (AdaptedModel(phrases, tmp_path / "l", engine=1) for _ in range(2))
    one.correct(*pairs[0], time="")
    assert other.correct(*pairs[1], time="").id == 2
    taught(phrases, tmp_path / "alone", pairs[:2])
    assert contents(tmp_path / "l") == contents(tmp_path / "alone")


@pytest.mark.parametrize("update", ["mira", "expected", "violation", "none"])
def test_updates_move_weights_or_do_not(update, phrases, tmp_path, pairs):
    adapted = taught(phrases, tmp_path / "layer", pairs[:10], update=update)
    assert (adapted.weights == adapted._first) == (update == "none")


@pytest.mark.parametrize(
    ("source", "correction", "message"),
    [
        ("", "Yes.", "the source is empty, expected a sentence"),
        ("Ja.", " \t", "the correction is empty, expected a sentence"),
        (
            "Ja.",
            "word " * 5000,
            "the correction has 5,000 words, expected at most 200: correct sentences one by one",
        ),
        (
            "Ja.",
            "a\x07b",
            "the correction has the control character U+0007, expected a line of text",
        ),
        ("Ja\n.", "b", "the source has the control character U+000A, expected a line of text"),
        ("Ja.", "a\0b", "the correction has the control character U+0000, expected a line of text"),
    ],
)
def test_what_is_no_correction_is_refused(source, correction, message, adapted):
    before = contents(adapted.folder.path)
    with pytest.raises(OptionError) as caught:
        adapted.correct(source, correction)
    assert str(caught.value) == message
    assert contents(adapted.folder.path) == before
    assert adapted.version == 0


def test_a_layer_of_another_model_is_refused(phrases, tmp_path, pairs):
    taught(phrases, tmp_path / "layer", pairs[:1])
    head = tmp_path / "layer" / "layer.json"
    values = json.loads(head.read_text())
    head.write_text(json.dumps({**values, "model": "0" * 32}))
    with pytest.raises(InputError) as caught:
        AdaptedModel(phrases, tmp_path / "layer")
    assert str(caught.value) == (
        f"{head}: a layer of another model than {phrases}, expected the model that it "
        "was made for; for another one export its corrections and learn them again "
        "(`tunesmith adapt --export`, --post-edits)"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON, expected what `tunesmith adapt` wrote"),
        ("[]", "no options of a layer, expected what `tunesmith adapt` wrote"),
        (
            '{"format": 2, "options": {}}',
            "format 2, expected 1; export its corrections with the version that made it, and learn "
            "them again",
        ),
    ],
)
def test_a_broken_head_is_refused(text, message, phrases, tmp_path, pairs):
    taught(phrases, tmp_path / "layer", pairs[:1])
    head = tmp_path / "layer" / "layer.json"
    head.write_text(text)
    with pytest.raises(InputError) as caught:
        AdaptedModel(phrases, tmp_path / "layer")
    assert str(caught.value) == f"{head}: {message}"


def test_a_broken_line_of_the_log_is_named(phrases, tmp_path, pairs):
    taught(phrases, tmp_path / "layer", pairs[:3])
    log = tmp_path / "layer" / "corrections.jsonl"
    lines = log.read_text().splitlines()
    for line, message in (
        ("{}", "no correction, expected a line that `tunesmith adapt` wrote"),
        (lines[1][:-1], "no correction, expected a line that `tunesmith adapt` wrote"),
        (lines[0], "id 1, expected ids in their order"),
        (
            '{"undo": 7, "weights": {}, "time": ""}',
            "undo of 7, expected a correction that holds",
        ),
    ):
        log.write_text("\n".join([lines[0], line, lines[2]]) + "\n")
        with pytest.raises(InputError) as caught:
            AdaptedModel(phrases, tmp_path / "layer")
        assert str(caught.value) == f"{log}:2: {message}"


def test_a_folder_with_something_else_is_refused(phrases, tmp_path):
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError) as caught:
        AdaptedModel(phrases, tmp_path)
    expected = "exists and is no layer, expected a new name or a layer"
    assert str(caught.value) == f"{tmp_path}: {expected}"
