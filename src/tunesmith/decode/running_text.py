"""Translations as people read them: capitals, spaces, protected units, and terms as written."""

from collections.abc import Sequence

from tunesmith.corpus.casing import capitalised
from tunesmith.decode.model_terms import ModelTerm
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.protection import ProtectedSentence, layout, made_terms
from tunesmith.decode.restoring import restored
from tunesmith.decode.sentence import SourceSentence, split
from tunesmith.formats.plf import Lattice
from tunesmith.model import TranslationModel

# Stands for the words of a term: a sentence may begin with it, and does not end in it.
_TERM = "xtermx"


def running_texts(
    model: TranslationModel,
    output: DecoderOutput,
    rows: Sequence[tuple[SourceSentence | Lattice, int]],
) -> list[str]:
    """Translations as people read them, with the protected units of their sources.

    Each is a row of `output`, with the sentence that it translates.
    """
    target = model.preprocessors[1]
    own = {
        number: (sentence, output.derivation(row).steps)
        for number, (sentence, row) in enumerate(rows)
        if isinstance(sentence, ProtectedSentence)
    }
    terms = {number: made_terms(*one) for number, one in own.items()}
    words = [output.texts[row] for _, row in rows]
    for number, made in terms.items():
        if made:
            words[number] = _masked(words[number], made)
    cased = target.casing.restore(words)
    texts = target.tokenizer.detokenize(cased)
    for number, (sentence, steps) in own.items():
        line = split(cased[number])
        written = [_written(line, *one) for one in terms[number]]
        items = layout(sentence, steps, len(line))
        texts[number] = restored(sentence, line, items, target.tokenizer, written)
    if model.layer is not None and model.layer.written:
        for number, (read, row) in enumerate(rows):
            if isinstance(read, SourceSentence) and number not in own:
                tokens = " ".join(read.words), output.texts[row]
                texts[number] = model.layer.written.get(tokens, texts[number])
    return texts


def _masked(words: str, terms: Sequence[tuple[int, int, ModelTerm]]) -> str:
    line = split(words)
    for begin, end, _ in terms:
        line[begin:end] = [_TERM] * (end - begin)
    return " ".join(line)


def _written(line: list[str], begin: int, end: int, term: ModelTerm) -> tuple[int, int, str]:
    """Puts a term into its place in a line, and says what it is there as it is written."""
    begins_sentence = line[begin] != _TERM
    line[begin:end] = term.tokens
    if not begins_sentence:
        return begin, end, term.target
    line[begin] = capitalised(line[begin])
    first, space, rest = term.target.partition(" ")
    return begin, end, capitalised(first) + space + rest
