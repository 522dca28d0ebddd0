"""Answers of language models' APIs as n-best lists: every shape that there is."""

import json

import pytest

from reference.nbest_rows import rows_of
from tunesmith.formats.nbest import TableOptions, read_nbest

TEXTS = ["a small house", "the house"]
TOKENS = [[-0.5, -0.25], [-1.0, -2.0, -0.5]]
BOTH = [(0, "a small house", {"logprob": -0.75, "tokens": 2.0}),
        (0, "the house", {"logprob": -3.5, "tokens": 3.0})]  # fmt: skip
CHAT = [
    {"index": i, "message": {"role": "assistant", "content": f" {text}\n"}, "finish_reason": "stop",
     "logprobs": {"content": [{"token": "x", "logprob": p, "top_logprobs": []} for p in tokens]}}
    for i, (text, tokens) in enumerate(zip(TEXTS, TOKENS, strict=True))
]  # fmt: skip
COMPLETION = [
    {"index": i, "text": text, "logprobs": {"tokens": [], "token_logprobs": [None, *tokens]}}
    for i, (text, tokens) in enumerate(zip(TEXTS, TOKENS, strict=True))
]
GEMINI = [
    {"content": {"role": "model", "parts": [{"text": text[:2]}, {"text": text[2:]}]},
     "logprobsResult": {"chosenCandidates": [{"logProbability": p} for p in tokens]}}
    for text, tokens in zip(TEXTS, TOKENS, strict=True)
]  # fmt: skip
PARTS = [
    {"message": {"content": [{"type": "text", "text": text}]}, "logprobs": tokens}
    for text, tokens in zip(TEXTS, TOKENS, strict=True)
]


def read(tmp_path, *records, **options):
    path = tmp_path / "answers"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return read_nbest(path, **options)


@pytest.mark.parametrize(
    "record",
    [
        {"id": "chatcmpl-7", "object": "chat.completion", "created": 5, "choices": CHAT},
        {"choices": COMPLETION},
        {"candidates": GEMINI, "usageMetadata": {"totalTokenCount": 9}},
        {"choices": PARTS},
        {"id": "b", "custom_id": "s1", "response": {"status_code": 200, "body": {"choices": CHAT}}},
        {"key": "s1", "response": {"candidates": GEMINI}},
    ],
)
def test_every_shape(tmp_path, record):
    nbest = read(tmp_path, record)
    assert rows_of(nbest) == BOTH
    assert nbest.dialect == "llm"


def test_sentences_are_lines_or_ids(tmp_path):
    assert read(tmp_path, {"choices": CHAT}, {"choices": CHAT}).offsets.tolist() == [0, 2, 4]
    named = [{"custom_id": name, "choices": CHAT} for name in ("b", "a", "b")]
    nbest = read(tmp_path, *named)
    assert (nbest.offsets.tolist(), list(nbest.ids)) == ([0, 4, 6], ["b", "a"])


def test_numbers_of_candidates_are_features(tmp_path):
    candidates = [
        {"text": "a", "score": 1.5, "index": 3, "done": True, "scores": {"qe": 2}},
        {"text": "b", "score": -1, "index": 4, "done": False, "scores": {"qe": 3}},
    ]
    table = TableOptions(id_column="seg", source_column="src", reference_column="ref")
    record = {"seg": "x", "src": "eins", "ref": "one", "candidates": candidates}
    nbest = read(tmp_path, record, table=table)
    assert rows_of(nbest) == [(0, "a", {"score": 1.5, "qe": 2}), (0, "b", {"score": -1, "qe": 3})]
    assert (list(nbest.ids), list(nbest.sources), list(nbest.references)) == (
        ["x"], ["eins"], ["one"]
    )  # fmt: skip


def test_plain_strings_are_candidates_too(tmp_path):
    nbest = read(tmp_path, {"candidates": ["a", "b"]})
    assert rows_of(nbest) == [(0, "a", {}), (0, "b", {})]


def test_bad_answers_can_be_skipped(tmp_path, caplog):
    records = [{"choices": CHAT}, {"error": "too long", "custom_id": "x"}, {"choices": CHAT}]
    nbest = read(tmp_path, *records, on_bad_line="skip")
    assert (nbest.rows, nbest.skipped) == (4, 1)
    assert "answers: 1 of 3 lines skipped as bad" in caplog.text
