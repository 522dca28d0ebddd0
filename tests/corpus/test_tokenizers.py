import base64
import io
import json

import pytest
from hypothesis import given

from reference.texts import lines, without_space
from tunesmith.base.errors import ConfigError, InputError
from tunesmith.corpus.tokenizers import (
    CharTokenizer,
    MosesTokenizer,
    NoTokenizer,
    SentencePieceTokenizer,
    Tokenizer,
    make_tokenizer,
)


@given(text=lines())
def test_characters_come_back_exactly(text):
    text = text.translate({ord(c): " " for c in "\t\v\f"})
    tokenizer = CharTokenizer()
    (words,) = tokenizer.tokenize([text])
    assert tokenizer.detokenize([words]) == [text]
    assert all(words.split(" ")) or text == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ""),
        (" ", "▁"),
        ("我们 ok", "我 们 ▁ o k"),
        ("e\u0301a", "e\u0301 a"),
        ("👩‍👩‍👧🇩🇪", "👩‍👩‍👧 🇩🇪"),
        ("नमस्ते", "न म स्ते"),
        ("한국", "한 국"),
        ("a▁b", "a ▁▁ b"),
        (" \u0301", "▁\u0301"),
        ("a\tb", "a ▁ b"),
    ],
)
def test_characters(text, words):
    if text == "नमस्ते":  # whether a conjunct is one cluster depends on the Unicode version
        assert without_space(CharTokenizer().tokenize([text])[0]) == text
        return
    assert CharTokenizer().tokenize([text]) == [words]


@given(text=lines())
def test_none_changes_nothing(text):
    assert NoTokenizer().tokenize([text, ""]) == [text, ""]
    assert NoTokenizer().detokenize([text, ""]) == [text, ""]


@pytest.fixture(scope="module")
def piece_model(tmp_path_factory):
    import sentencepiece

    text = ["das ist ein kleines haus am see", "ein haus ist kein boot"] * 30
    content = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(text), model_writer=content, vocab_size=21, minloglevel=2
    )
    path = tmp_path_factory.mktemp("pieces") / "p.model"
    path.write_bytes(content.getvalue())
    return path


def test_pieces_and_back(piece_model):
    import sentencepiece

    tokenizer = SentencePieceTokenizer(piece_model)
    text = ["das ist ein haus", "", "kein boot | <s> </s> [X] 日本 & <b>"]
    words = tokenizer.tokenize(text)
    processor = sentencepiece.SentencePieceProcessor(model_file=str(piece_model))
    assert words == [" ".join(processor.encode(line, out_type=str)) for line in text]
    assert tokenizer.detokenize(words) == text
    assert tokenizer.tokenize([]) == tokenizer.detokenize([]) == []
    assert tokenizer.detokenize([""]) == [""]


def test_a_saved_piece_tokenizer_does_not_need_the_file(piece_model):
    saved = json.loads(json.dumps(SentencePieceTokenizer(piece_model).to_dict()))
    again = Tokenizer.from_dict(saved)
    assert again.tokenize(["ein haus"]) == SentencePieceTokenizer(piece_model).tokenize(
        ["ein haus"]
    )


def test_models_that_are_none(tmp_path, piece_model):
    missing, text = tmp_path / "none", tmp_path / "text"
    text.write_text("hello")
    with pytest.raises(InputError, match="none: No such file or directory, expected a readable"):
        SentencePieceTokenizer(missing)
    with pytest.raises(InputError, match=r"text: not a SentencePiece model, expected a .model fil"):
        SentencePieceTokenizer(text)
    cut = tmp_path / "cut"
    cut.write_bytes(piece_model.read_bytes()[:5000])
    with pytest.raises(InputError, match="cut: not a SentencePiece model"):
        SentencePieceTokenizer(cut)
    for content in ("%%%", "Ä"):
        with pytest.raises(ConfigError, match="content is not base 64"):
            Tokenizer.from_dict({"name": "sentencepiece", "content": content})
    with pytest.raises(InputError, match="the saved tokenizer: not a SentencePiece model"):
        Tokenizer.from_dict(
            {"name": "sentencepiece", "content": base64.b64encode(b"hello").decode()}
        )
    with pytest.raises(ConfigError, match="expected the path of a model file"):
        make_tokenizer("sentencepiece")


@pytest.mark.parametrize(
    "tokenizer",
    [
        MosesTokenizer("fr"),
        MosesTokenizer("de", split_hyphens=True),
        NoTokenizer(),
        CharTokenizer(),
    ],
)
def test_saved_and_made_again(tokenizer):
    again = Tokenizer.from_dict(json.loads(json.dumps(tokenizer.to_dict())))
    assert type(again) is type(tokenizer)
    assert again.to_dict() == tokenizer.to_dict()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"name": "mosse"}, r"tokenizer {'name': 'mosse'}, expected one of: moses, none, char, se"),
        ({}, "tokenizer {}, expected one of"),
        ({"name": "char", "size": 3}, "tokenizer char: CharTokenizer.* takes no arguments"),
        ({"name": "moses", "lang": "de"}, "tokenizer moses: .* unexpected keyword argument 'lang'"),
    ],
)
def test_broken_dicts(values, message):
    with pytest.raises(ConfigError, match=message):
        Tokenizer.from_dict(values)
