"""What is told of a model."""

import numpy as np

from reference.chart import ScfgRule
from reference.tiny_grammars import hiero_model
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.preprocess import Preprocessor
from tunesmith.corpus.tokenizers import MosesTokenizer
from tunesmith.model import TranslationModel
from tunesmith.model.describe import describe, description_text


def test_every_part_of_the_preparation_of_text_has_a_name(tmp_path, monkeypatch):
    rules = [ScfgRule("X", ("a",), ("b",), (("p", 0.5),))]
    model = hiero_model(tmp_path / "model", rules, np.random.default_rng(1), lms=1, search={})
    protecting = Preprocessor(MosesTokenizer("de"), protection=Protection())
    monkeypatch.setattr(TranslationModel, "preprocessors", (protecting, Preprocessor()))
    told = description_text(describe(model))
    assert "  source text: moses + none + protection\n" in told
    assert "  target text: moses + none\n" in told
