"""The maximum-entropy reordering model in the decoder: what it adds to derivations, as written."""

import numpy as np
import pytest
from scipy.special import log_softmax

from reference.orientations import EDGES, feature_key, phrase_features
from reference.phrase_decoder import orientation
from reference.tiny_models import extracted_model, random_links
from reorder.test_example_set import ids_of
from tunesmith import _core
from tunesmith.base.array_file import read_arrays
from tunesmith.base.errors import InputError
from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.decode import Graphs, KBest, SearchOptions, SourceSentence
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.formats.pharaoh import Links
from tunesmith.formats.weights import write_weights
from tunesmith.graph import best
from tunesmith.model import TranslationModel, write_description
from tunesmith.model.describe import describe, description_text
from tunesmith.model.files import WEIGHTS_FILE
from tunesmith.model.moses import export_moses
from tunesmith.reorder import MaxentReordering
from tunesmith.reorder.maxent import KIND, VERSION

CLASSES = ("monotone", "swap", "discontinuous")
TEXT = ["a b c a", "c b", "b a a c b", "c", "a unknown b"]
KINDS = {
    "both": {},
    "maxent": {"lexicalised": False, "sided": False},
    "single": {"scores": "single"},
    "single previous": {"scores": "single", "direction": "backward"},
    "all features": {"features": "all"},
}


@pytest.fixture(scope="module", params=KINDS)
def made(request, tmp_path_factory):
    """A decoder's model, the options of its reordering model, and that one's weights by key."""
    folder = tmp_path_factory.mktemp("maxent")
    sources, targets, links = random_links(np.random.default_rng(5), 60)
    text = Bitext.from_lines(sources, targets), Links.from_lists(links)
    model = extracted_model(folder / "model", sources, targets, text[1])
    options = dict(KINDS[request.param])
    lexicalised = options.pop("lexicalised", True)
    reordering = MaxentReordering(cutoff=1, variance=1.0, **options)
    own = reordering.run(*text, model.folder / "maxent.bin", examples=folder / "set")
    examples = reordering.build(*text, folder / "again")
    weights = read_arrays(own.path, KIND, VERSION)["weights"]
    rows = weights.astype(float).reshape(len(examples.keys), len(reordering.sides), 3)
    by_key = dict(zip(examples.keys.tolist(), rows, strict=True))
    write_description(
        model.folder,
        tables=["phrases.bin"],
        language_models=["lm.bin"],
        maxent="maxent.bin",
        unused=() if lexicalised else [f"reorder.{score}" for score in model.reordering],
    )
    whole = TranslationModel.load(model.folder)
    write_weights(model.folder / WEIGHTS_FILE, whole.initial_weights())
    return whole, reordering, (by_key, ids_of(examples))


def weights_of(model):
    chance = np.random.default_rng(1)
    return Weights(
        {name: float(chance.uniform(0.1, 1)) for name in model.feature_names}
        | {"distortion": 0.1, "word_penalty": 0.0}
    )


def known(name, source, target):
    """Whether all words of a feature are in the training text."""
    words = [word for part in name[1:] for word in (part if isinstance(part, tuple) else (part,))]
    return all(word in source or word in target or word is None or word in EDGES for word in words)


def maxent_features(model, options, weights, words, steps):
    """The features of a derivation, from the definition."""
    by_key, ids = weights
    found = dict.fromkeys(model.maxent.names, 0.0)
    last, last_scores = (0, 0), None
    for step in steps:
        span = (step.begin, step.end)
        scores = None
        if step.rule >= 0:
            source = " ".join(words[step.begin : step.end])
            rule = model.tables[step.table].rule(step.rule, source)
            target = rule.target.split()
            links = [(step.begin + f, e) for f, e in rule.links]
            names = phrase_features(
                words, target, links, (*span, 0, len(target)), options.sided,
                features=options.features,
            )  # fmt: skip
            keys = {feature_key(name, *ids) for name in names if known(name, *ids)}
            rows = [by_key[key] for key in keys if key in by_key]
            sums = np.sum(rows, axis=0) if rows else np.zeros((len(options.sides), 3))
            scores = log_softmax(sums, axis=1)
        place = orientation(last, span)
        for number, side in enumerate(options.sides):
            own = scores if side == "previous" else last_scores
            if own is not None:
                name = f"maxent.{side}"
                name += "" if options.scores == "single" else f".{CLASSES[place]}"
                found[name] += own[number][place]
        last, last_scores = span, scores
    return found


def test_lists_have_the_features_of_the_definition(made):
    model, options, by_name = made
    decoder = PhraseDecoder(model, search=SearchOptions(distortion_limit=4), engine=1)
    output = decoder.decode(TEXT, weights_of(model), want=KBest(30, distinct=False))
    orientations = set()
    for sentence, text in enumerate(TEXT):
        for row in range(output.offsets[sentence], output.offsets[sentence + 1]):
            derivation = output.derivation(row)
            expected = maxent_features(model, options, by_name, text.split(), derivation.steps)
            for name, value in expected.items():
                assert derivation.features[name] == pytest.approx(value, abs=1e-4), name
            native = SourceSentence.from_text(text).native("copy")
            row -= output.offsets[sentence]
            again, *_ = _core.derivation_features(
                decoder.native, native, output.native, sentence, row
            )
            assert again == pytest.approx(
                [derivation.features[name] for name in model.feature_names], abs=1e-3
            )
            orientations |= {name for name, value in expected.items() if value}
    assert orientations == set(model.maxent.names)


def test_graphs_have_the_same_best_score(made):
    model, *_ = made
    decoder = PhraseDecoder(model, engine=1)
    weights = weights_of(model)
    lists = decoder.decode(TEXT, weights, want=KBest(1))
    graphs = decoder.decode(TEXT, weights, want=Graphs())
    scores = best(graphs, weights).scores.tolist()
    assert scores == pytest.approx(lists.scores.tolist(), abs=1e-3)


def test_names_follow_the_lexicalised_ones(made):
    model, options, _ = made
    names = list(model.feature_names)
    assert names.index("distortion") == 4 + len(model.maxent.names) + (
        6 if model.uses_reordering else 0
    )
    assert (
        model.maxent.names
        == names[names.index("distortion") - len(model.maxent.names) :][: len(model.maxent.names)]
    )
    small = model.restricted("small")
    assert not any(name.startswith(("maxent", "reorder")) for name in small.feature_names)
    assert "maximum-entropy reordering: " in description_text(describe(model))
    assert options.score_names


def test_export_to_moses_says_what_stays_behind(made, tmp_path, caplog):
    export_moses(made[0], tmp_path / "moses")
    assert "the maximum-entropy reordering model stays behind" in caplog.text


def test_a_copy_has_it_too(made, tmp_path):
    model, *_ = made
    copy = model.with_weights(weights_of(model), tmp_path / "copy")
    own = PhraseDecoder(model, engine=1).decode(TEXT, weights_of(model), want=KBest(3))
    again = PhraseDecoder(copy, engine=1).decode(TEXT, copy.weights, want=KBest(3))
    assert again.texts == own.texts


def test_a_broken_file_is_named(made, tmp_path):
    model, *_ = made
    copy = model.with_weights(weights_of(model), tmp_path / "copy")
    path = copy.folder / "maxent.bin"
    data = path.read_bytes()
    path.unlink()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=r"maxent\.bin"):
        PhraseDecoder(TranslationModel.load(copy.folder), engine=1).decode(["a"])
