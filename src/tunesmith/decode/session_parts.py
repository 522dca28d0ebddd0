"""What the sessions of all decoders do on their way into the core and back."""

from tunesmith import _core
from tunesmith.base.errors import OptionError
from tunesmith.base.graph_pool import GraphPool
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.decode.lattice import native_lattice
from tunesmith.decode.sentence import SourceSentence
from tunesmith.formats.plf import Lattice
from tunesmith.model import TranslationModel
from tunesmith.model.search import SearchOptions

NO_LATTICES = "a lattice for a phrase model, expected sentences: lattices need a hiero model"


def native_sentence(
    sentence: str | SourceSentence | Lattice, search: SearchOptions, model: TranslationModel
) -> _core.SourceSentence:
    """A sentence as the core takes it; models of phrases take no lattice."""
    if isinstance(sentence, Lattice):
        if model.kind == "phrase":
            raise OptionError(NO_LATTICES)
        return native_lattice(sentence, search, model.arc_features)
    if isinstance(sentence, str):
        sentence = SourceSentence.from_text(sentence)
    if search.monotone_at_punctuation:
        sentence = sentence.with_walls_at_punctuation()
    return sentence.native(search.unknown)


def native_density(density: float | None, *, none: float) -> float:
    """Edges per word as the core takes them, 0 for all of them; `none` where none are given."""
    if density is None:
        return none
    return 0.0 if density == float("inf") else density


def graph_pool(
    parts: _core.GraphParts, model: TranslationModel, sparse: Vocabulary | None = None
) -> GraphPool:
    """The core's graphs, with the features that the model uses.

    The sparse ones are the model's, or those of `sparse`.
    """
    names = tuple(model.sparse_names if sparse is None else sparse)
    pool = GraphPool.from_native(parts, (*model.decoder_names, *names), len(model.decoder_names))
    if model.used_columns is None:
        return pool
    return pool.with_features((*model.feature_names, *names), len(model.feature_names))
