"""A slow, obvious twin of chart search: all derivations of a sentence, enumerated."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from reference.unknown_words import copied_spans
from tunesmith.lm import NgramLM

GLUE, UNKNOWN, WORDS = "glue", "unknown", "word_penalty"


@dataclass(frozen=True)
class ScfgRule:
    """Symbols are words, or pairs (label, place): the place counts the source's non-terminals."""

    label: str
    source: tuple[str | tuple[str, int], ...]
    target: tuple[str | tuple[str, int], ...]
    features: tuple[tuple[str, float], ...]
    links: tuple[tuple[int, int], ...] = ()

    def line(self) -> str:
        """The rule in cdec's format."""

        def side(symbols: tuple[str | tuple[str, int], ...]) -> str:
            return " ".join(s if isinstance(s, str) else f"[{s[0]},{s[1] + 1}]" for s in symbols)

        values = " ".join(f"{name}={value}" for name, value in self.features)
        line = f"[{self.label}] ||| {side(self.source)} ||| {side(self.target)} ||| {values}"
        return line + (f" ||| {' '.join(f'{s}-{t}' for s, t in self.links)}" if self.links else "")


Part = tuple[tuple[str, ...], dict[str, float]]


def _add(*parts: dict[str, float]) -> dict[str, float]:
    out: dict[str, float] = {}
    for part in parts:
        for name, value in part.items():
            out[name] = out.get(name, 0.0) + value
    return out


class Enumeration:
    """All derivations under a grammar; `pass_all` lets every word be copied.

    With `keep_unknown_order` words that are in no rule are copied as one where they stand side by
    side. `sparse` gives more features of a rule.
    """

    def __init__(
        self,
        rules: list[ScfgRule],
        words: list[str],
        *,
        span_limit: int,
        pass_all: bool = False,
        keep_unknown_order: bool = False,
        sparse: Callable[[ScfgRule], Mapping[str, float]] = lambda rule: {},
    ) -> None:
        self.rules, self.words, self.span_limit = rules, words, span_limit
        self.pass_all, self.sparse = pass_all, sparse
        known = {symbol for rule in rules for symbol in rule.source if isinstance(symbol, str)}
        self.copies = copied_spans(words, known if keep_unknown_order else None)

    def of_label(self, label: str, begin: int, end: int) -> Iterator[Part]:
        """What a label can make of a span."""
        if end - begin <= self.span_limit:
            for rule in self.rules:
                if rule.label == label:
                    for tails in self._matches(rule.source, begin, end):
                        yield from self._put_together(rule, tails)
        if label == "X" and (begin, end) in self.copies:
            words = tuple(self.words[begin:end])
            if self.pass_all or not any(rule.source == words for rule in self.rules):
                yield words, {UNKNOWN: -float(len(words))}

    def _matches(
        self, source: tuple[str | tuple[str, int], ...], begin: int, end: int
    ) -> Iterator[list[tuple[str, int, int]]]:
        if not source:
            if begin == end:
                yield []
            return
        first, rest = source[0], source[1:]
        if isinstance(first, str):
            if begin < end and self.words[begin] == first:
                yield from self._matches(rest, begin + 1, end)
            return
        for middle in range(begin + 1, end + 1):
            for tails in self._matches(rest, middle, end):
                yield [(first[0], begin, middle), *tails]

    def _put_together(self, rule: ScfgRule, tails: list[tuple[str, int, int]]) -> Iterator[Part]:
        choices: list[tuple[Part, ...]] = [()]
        for tail in tails:
            choices = [(*c, part) for c in choices for part in self.of_label(*tail)]
        for parts in choices:
            words: list[str] = []
            for symbol in rule.target:
                words += [symbol] if isinstance(symbol, str) else parts[symbol[1]][0]
            own = {f"tm.{name}": value for name, value in rule.features}
            sparse = dict(self.sparse(rule))
            yield tuple(words), _add(own, sparse, *(part[1] for part in parts))

    def sentences(self, begin: int = 0) -> Iterator[Part]:
        """All derivations of the whole sentence: parts of any label, glued together."""
        labels = sorted({rule.label for rule in self.rules} | {"X"})
        for end in range(begin + 1, len(self.words) + 1):
            for label in labels:
                for words, features in self.of_label(label, begin, end):
                    if end == len(self.words):
                        yield words, features
                    else:
                        for more, others in self.sentences(end):
                            yield words + more, _add(features, others, {GLUE: 1.0})

    def derivations(self, lms: list[NgramLM]) -> list[tuple[str, dict[str, float]]]:
        """Their words and all features."""
        found = []
        for words, features in self.sentences():
            text = " ".join(words)
            values = _add(features, {WORDS: -float(len(words))})
            for number, lm in enumerate(lms):
                name = "lm" if number == 0 else f"lm{number + 1}"
                values[name] = lm.score(text) * 2.302585093
                values[f"{name}_unknown"] = -float(sum(word not in lm for word in words))
            found.append((text, values))
        return found
