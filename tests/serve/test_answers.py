"""What the server answers about a sentence."""

from reference.tiny_text_model import text_model
from tunesmith.decode.translate import Translator
from tunesmith.serve.answers import sentence_answer


def test_an_explained_answer_says_what_was_translated_for_unknown_words(tmp_path):
    text = "Der Hundhütte und Xaver."
    block = next(Translator(text_model(tmp_path / "m")).stream([text]))
    answer = sentence_answer(text, block, alternatives=False, explain=True)
    assert answer["unknown"] == [
        {"source": "Hundhütte", "seen": "Hund Hütte", "reason": "compound", "span": (1, 3)},
        {"source": "Xaver", "seen": "Xaver", "reason": "copied", "span": (4, 5)},
    ]
    assert "unknown" not in sentence_answer(text, block, alternatives=True, explain=False)
