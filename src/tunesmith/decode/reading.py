"""`SentenceReader`: lines of an input as a decoder takes them; faults are told by their line."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.log import log
from tunesmith.corpus.lines import Line, Units
from tunesmith.corpus.marks import mark_pairs
from tunesmith.corpus.masking import Protection
from tunesmith.corpus.whole_compounds import compound_lattice
from tunesmith.decode.base import ModelDecoder
from tunesmith.decode.lattice import SourceLattice, arc_values
from tunesmith.decode.markup import parse_markup
from tunesmith.decode.model_terms import ModelTerms
from tunesmith.decode.protection import line_sentence
from tunesmith.decode.sentence import SourceSentence
from tunesmith.decode.session_parts import NO_LATTICES
from tunesmith.decode.term_sentences import marked_up_sentence, term_sentence, with_term_tokens
from tunesmith.decode.terms import Terms
from tunesmith.formats.empty_arcs import without_empty_arcs
from tunesmith.formats.plf import Lattice

#: What a line may be: running text (or tokens), or a lattice (Moses' and cdec's PLF).
INPUT_TYPES = ("text", "plf")


class SentenceTooLong(InputError):
    """A sentence of more words than the decoder takes."""


def arc_scores(lines: Sequence[str], path: object = "<input>") -> int:
    """How many scores the arcs have in the first lattice that has any."""
    for number, line in enumerate(lines, 1):
        if (lattice := Lattice.parse(line, path, number)).nodes:
            return lattice.scores
    return 0


class SentenceReader:
    """Reads lines for a decoder.

    Parameters
    ----------
    input_type
        ``text``, or ``plf``: a lattice in each line, whose words are the model's tokens.
    markup
        Whether tags in text are instructions (`parse_markup`).
    markdown
        Whether text has the marks of Markdown, which are tags then.
    protect
        Protect units even if the model was trained without; with it, it always does.
    pretokenised
        Whether text is the model's tokens instead of running text.
    terms
        What is translated as the user says, and what must not come out.
    """

    def __init__(
        self,
        decoder: ModelDecoder,
        input_type: str = "text",
        *,
        markup: bool = False,
        markdown: bool = False,
        protect: bool = False,
        pretokenised: bool = False,
        terms: Terms | None = None,
    ) -> None:
        if input_type not in INPUT_TYPES:
            raise OptionError(f"input type '{input_type}', expected {' or '.join(INPUT_TYPES)}")
        if input_type == "plf":
            if decoder.model.kind == "phrase":
                raise OptionError(NO_LATTICES)
            if markup:
                raise OptionError("markup in lattices, expected one of the two")
        self.decoder, self.input_type = decoder, input_type
        self.markup, self.markdown, self.pretokenised = markup, markdown, pretokenised
        self.protection = decoder.model.preprocessors[0].protection
        if pretokenised:
            self.protection = None
        elif protect and self.protection is None:
            self.protection = Protection()
        self._told = self._checked = False
        self.terms = None if not terms else self._of_model(terms)

    def with_terms(self, terms: Terms | None) -> "SentenceReader":
        """A reader like this one with other terms."""
        other = copy(self)
        other.terms = None if not terms else self._of_model(terms)
        return other

    def _of_model(self, terms: Terms) -> ModelTerms:
        if self.input_type == "plf" and terms.pairs:
            raise OptionError("terms in lattices, expected only words that are forbidden")
        return ModelTerms(
            terms,
            *self.decoder.model.preprocessors,
            protection=self.protection,
            markdown=self.markdown,
            pretokenised=self.pretokenised,
        )

    def read(
        self, lines: Sequence[str], path: object = "<input>", first: int = 0
    ) -> Sequence[SourceSentence | Lattice]:
        """The sentences of `lines`; `first` is the number of the first one in its file, from 0."""
        sentences: list[SourceSentence | Lattice]
        if self.input_type == "plf":
            return self._forbidding(
                [self._lattice(line, path, first + n) for n, line in enumerate(lines, 1)]
            )
        if self.markup:
            sentences = [self._marked_up(line, path, first + n) for n, line in enumerate(lines, 1)]
        else:
            sentences = self._sentences(list(lines))
        for number, sentence in enumerate(sentences, first + 1):
            size = len(sentence.nodes if isinstance(sentence, Lattice) else sentence.words)
            if size > self.decoder.most_words:
                raise SentenceTooLong(
                    path,
                    number,
                    f"a sentence of {size:,} words",
                    f"at most {self.decoder.most_words:,}",
                )
        return self._forbidding(sentences)

    def _forbidding(
        self, sentences: Sequence[SourceSentence | Lattice]
    ) -> Sequence[SourceSentence | Lattice]:
        """The sentences, with what is forbidden."""
        if self.terms is None or not self.terms.forbidden:
            return sentences
        phrases = self.terms.forbidden
        return [
            SourceLattice(one.nodes, phrases, getattr(one, "line", None))
            if isinstance(one, Lattice)
            else replace(one, forbidden=phrases)
            for one in sentences
        ]

    def _sentences(self, lines: list[str]) -> list[SourceSentence | Lattice]:
        """Lines with nothing but text."""
        source = self.decoder.model.preprocessors[0]
        if self.pretokenised:
            if not self._checked:
                self._checked = True
                source.check_encoded(lines)
            sentences = map(SourceSentence.from_text, lines)
            if self.terms is None or not self.terms.entries:
                return list(sentences)
            return [with_term_tokens(sentence, self.terms) for sentence in sentences]
        units = [self._units(line) for line in lines]
        wanted = () if self.terms is None else self.terms.words
        engine = self.decoder.engine
        read = source.read(lines, units, known=False, wanted=wanted, engine=engine)
        return [self._sentence(line) for line in read]

    def _sentence(self, line: Line) -> SourceSentence | Lattice:
        """A line as search takes it."""
        source, target = self.decoder.model.preprocessors
        if self.terms is not None and self.terms.entries:
            sentence = term_sentence(line, self.terms, source, self.protection, target.spacing)
            if sentence is not None:
                return sentence
        # Lattices have no constraints.
        if self.decoder.model.arc_features and not (line.units or mark_pairs(line.surfaces)):
            lattice = compound_lattice(line)
            if lattice is not None:
                return SourceLattice(lattice.nodes, line=line)
        source.replace_unknown(line)
        return line_sentence(line, self.protection, known=source.known, spacing=target.spacing)

    def _units(self, line: str) -> Units:
        if self.protection is None:
            return []
        return self.protection.units(line, markdown=self.markdown)

    def _marked_up(self, line: str, path: object, number: int) -> SourceSentence:
        """Instructions are found in the raw line; the text between tags is preprocessed."""
        sentence = parse_markup(line, path, number)
        if self.pretokenised:
            return sentence if self.terms is None else with_term_tokens(sentence, self.terms)
        return marked_up_sentence(sentence, *self.decoder.model.preprocessors, self.terms)

    def _lattice(self, line: str, path: object, number: int) -> Lattice:
        lattice, model = Lattice.parse(line, path, number), self.decoder.model
        try:
            logarithms = self.decoder.search.arc_scores == "logarithms"
            lattice = without_empty_arcs(lattice, logarithms=logarithms)
        except OptionError as error:
            raise InputError(path, number, str(error)) from None
        if not model.arc_features:
            if not self._told and any(set(arc.scores) - {0.0, 1.0} for _, arc in lattice.arcs()):
                self._told = True
                log.warning(
                    "%s:%d: scores of arcs count nothing, as the model has no weight for them; "
                    "`tunesmith tune --input-type plf` learns one",
                    path,
                    number,
                )
        elif lattice.nodes:
            if lattice.scores != model.arc_features:
                raise InputError(
                    path, number, f"{lattice.scores} scores of an arc", f"{model.arc_features}"
                )
            try:
                for _, arc in lattice.arcs():
                    arc_values(arc.scores, self.decoder.search)
            except OptionError as error:
                raise InputError(path, number, str(error)) from None
        return lattice
