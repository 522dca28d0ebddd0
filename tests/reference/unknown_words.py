"""What a model does with unknown words that keep their order, from the definition."""

import itertools
import math


def copied_spans(words, vocabulary=None):
    """The spans that may be copied where no rule translates them: words one by one.

    With the words that a model knows, those between them are one span.
    """
    if vocabulary is None:
        return {(i, i + 1) for i in range(len(words))}
    spans, begin = set(), 0
    for is_known, run in itertools.groupby(words, vocabulary.__contains__):
        end = begin + len(list(run))
        spans |= {(i, i + 1) for i in range(begin, end)} if is_known else {(begin, end)}
        begin = end
    return spans


def gathers_unknown(words, vocabulary, spans):
    """Whether spans follow each other that begin and end with unknown words not side by side."""
    return vocabulary is not None and any(
        end != begin and words[end - 1] not in vocabulary and words[begin] not in vocabulary
        for (_, end), (begin, _) in itertools.pairwise(spans)
    )


def reordering_of_unknown(table):
    """The log of the mean probability of an orientation, each word of the table counting once."""
    rules = {}
    for rule in table:
        if len(rule.source.split()) == 1:
            rules.setdefault(rule.source, []).append(rule.reordering)
    if not rules:
        return None
    of_words = [
        [sum(map(math.exp, column)) / len(own) for column in zip(*own, strict=True)]
        for own in rules.values()
    ]
    return [math.log(sum(column) / len(of_words)) for column in zip(*of_words, strict=True)]


def source_words(tables):
    """The words that models with these tables know."""
    return {word for table in tables for rule in table for word in rule.source.split()}
