"""Small learners of lexical features, over random models."""

from reference.tiny_models import SOURCE, TARGET
from tunesmith import _core
from tunesmith.corpus import Sentences
from tunesmith.decode import KBest, SearchOptions
from tunesmith.decode.phrase import PhraseDecoder
from tunesmith.decode.phrase_model import native_phrase_model
from tunesmith.features import LexicalFeatures, SideClasses

FEATURES = LexicalFeatures(
    rule_pairs=True, history=True, source_edges=True, levels="word,character,cluster,type"
)

UNPRUNED = SearchOptions(distortion_limit=3, pop_limit=100_000, stack_size=100_000, table_limit=0)


def lexical_model(chance, features=FEATURES):
    def classes(words):
        return {word: "".join(chance.choice(["0", "1"], 3)) for word in words}

    side = SideClasses(classes(SOURCE[:3])), SideClasses(classes(TARGET))
    return features.build(*side)


def learner_of(
    model, lexical, pairs, *, method, beam=100_000, rate=0.3, dense_rate=0.1, links=(), **changes
):
    options = _core.LearnerOptions()
    options.method = getattr(_core.UpdateMethod, method)
    options.rate = rate
    options.dense_rates = [dense_rate] * (len(model.feature_names) + 1)
    options.search = SearchOptions(
        pop_limit=beam, stack_size=beam, table_limit=0, distortion_limit=3
    ).native()
    forced = _core.ForcedOptions()
    forced.distortion_limit, forced.min_prefix = 3, 0
    options.forced = forced
    for name, value in changes.items():
        setattr(options, name, value)
    native = native_phrase_model(model, lexical)
    weights = [*model.weights.vector(model.feature_names), 1.0]
    return _core.ViolationLearner(
        [native],
        lexical.native,
        text_of(pairs, links),
        [0] * len(pairs),
        weights,
        options,
    )


def text_of(pairs, links=()):
    """Pairs of lines as the core takes them."""
    sides = [Sentences.from_lines(lines) for lines in zip(*pairs, strict=True)]
    arrays = [part for side in sides for part in (side.vocabulary.native, side.offsets, side.ids)]
    return _core.TrainingText(*arrays, list(links))


def some_pairs(model, chance, count=6):
    """Sentences with translations that the model can make."""
    decoder = PhraseDecoder(model, search=SearchOptions(distortion_limit=3), engine=1)
    sources = [" ".join(chance.choice(list(SOURCE), chance.integers(2, 5))) for _ in range(count)]
    lists = decoder.decode(sources, want=KBest(20))
    rows = [int(chance.integers(*lists.offsets[i : i + 2])) for i in range(count)]
    return [(source, lists.texts[row]) for source, row in zip(sources, rows, strict=True)]
