"""Grammar of the sentences: facts that hold in every pair, phenomena that all appear."""

import re

import pytest
from sacremoses import MosesTokenizer

from tunesmith.corpus.phrasebook import generate
from tunesmith.corpus.phrasebook.lexicon import lexicon
from tunesmith.corpus.phrasebook.sentences import KINDS

COUNT = 12000


@pytest.fixture(scope="module")
def corpus():
    return generate(COUNT, seed=11)


def linked(pair, position):
    words = pair.target.split()
    return [words[target] for source, target in pair.links if source == position]


def test_moses_tokenises_the_raw_text_into_our_tokens(corpus):
    german, english = MosesTokenizer("de"), MosesTokenizer("en")
    for pair in corpus[:3000]:
        for tokenizer, raw, tokens in (
            (german, pair.raw_source, pair.source),
            (english, pair.raw_target, pair.target),
        ):
            assert tokenizer.tokenize(raw, return_str=True, escape=False) == tokens


# What a reader would count; the rates are per thousand sentences, with room on both sides.
PHENOMENA = {
    "weil, verb final": (r" , weil .* \S+(t|en|st|e|[^ ]) \.$", 20, 120),
    "dass": (r"[Dd]ass ", 30, 120),
    "obwohl": (r"\b[Oo]bwohl ", 5, 40),
    "wenn": (r"\b[Ww]enn ", 10, 80),
    "nachdem with pluperfect": (r"\b[Nn]achdem .* (hatte|hatten|hattest|hattet|war|waren)", 1, 30),
    "zu with infinitive": (r", .*\bzu [a-zäöü]+(en|ern|eln|un) \.$", 10, 80),
    "zu inside a separable verb": (r" [a-zäöü]+zu[a-zäöü]+en \.$", 2, 40),
    "um zu": (r" , um .*zu", 5, 40),
    "ohne zu": (r" , ohne .*zu", 1, 20),
    "modal and infinitive at the end": (
        r"\b(kann|können|muss|müssen|will|wollen|soll|sollen|darf|möchte) .*(en|ern|eln) [.?]$",
        40,
        200,
    ),
    "future": (r"\b(werde|wirst|wird|werden|werdet) .*(en|ern|eln) [.?]$", 10, 120),
    "perfect with haben": (r"\b(habe|hast|hat|haben|habt) .*(t|en) [.?,]", 80, 300),
    "perfect with sein": (r"\b(bin|bist|ist|sind|seid) .*(t|en) [.?,]", 15, 150),
    "passive": (r"\b(wurde|wurden|worden|wird|werden) .*", 40, 250),
    "worden": (r"\bworden\b", 2, 30),
    "separated prefix": (
        r" (an|auf|aus|ab|ein|mit|vor|zu|weg|zurück|um|statt|nach) [.?!]$",
        10,
        120,
    ),
    "relative clause": (r" , (der|die|das|den|dem|denen) .* ,? ?", 15, 120),
    "genitive": (r"\b(des|meines|dieses) [A-ZÄÖÜa-zäöü]+", 5, 60),
    "name in the genitive": (r"\b(Annas|Marias|Peters|Lenas|Julias|Evas|Lauras|Michaels) ", 3, 40),
    "contraction of article": (r"\b(im|am|zum|zur|vom|beim|ins|ans) ", 60, 300),
    "nicht": (r"\bnicht\b", 50, 160),
    "kein": (r"\b[Kk]ein", 8, 80),
    "question": (r"\?$", 60, 160),
    "question word": (r"^(W|Um wie|Mit wem|Auf|An|Für|Von)\S* .*\?$", 20, 90),
    "wo- with preposition": (
        r"\b[Ww]or?(auf|an|über|mit|von|für|nach|um|in|gegen|aus|vor|unter)\b",
        1,
        20,
    ),
    "da- with preposition": (
        r"\b[Dd]ar?(auf|an|über|mit|von|für|nach|um|in|gegen|aus|vor|unter)\b",
        1,
        20,
    ),
    "command": (r"!$", 10, 60),
    "comparative": (r"er als ", 5, 40),
    "superlative": (r"\bam \w+sten\b", 1, 20),
    "as … as": (r"\bso \w+ wie ", 1, 20),
    "subjunctive": (r"\b(würde|würden|würdest|hätte|wäre|könnte)", 10, 60),
    "es gibt": (r"\b(gibt|gab) es\b|\b[Ee]s (gibt|gab)\b", 8, 50),
    "reflexive": (r"\b(sich|mich|dich|uns|euch)\b", 40, 250),
    "two datives and accusatives": (
        r"\b(dem|meinem|einem|ihm|ihr) .*(geschenkt|gegeben|gezeigt)",
        1,
        40,
    ),
    "gern": (r"\bgerne?\b", 3, 40),
    "seit": (r"\b[Ss]eit ", 3, 40),
    "clock": (r"\bUhr\b|\bhalb\b|\bViertel\b", 8, 80),
    "date": (r"\b\d+\. [A-Z]", 5, 60),
    "year": (r"\b(19|20)\d\d\b", 3, 60),
    "price": (r"\bEuro\b", 2, 30),
    "titles": (r"\b(Herr|Herrn|Frau) [A-ZÄÖÜ]", 15, 200),
    "measure": (r"\b(Tasse|Tassen|Glas|Gläser|Flasche|Flaschen|Stück|Kilo|Liter) [A-Z]", 1, 30),
}


@pytest.mark.parametrize("name", PHENOMENA)
def test_phenomenon_appears_at_a_sensible_rate(corpus, name):
    pattern, low, high = PHENOMENA[name]
    found = sum(bool(re.search(pattern, pair.source)) for pair in corpus)
    assert low <= found * 1000 / COUNT <= high


def test_every_kind_of_sentence_has_a_share():
    assert min(KINDS.values()) > 0


def test_the_lexicon_is_large():
    words = lexicon()
    nouns = {noun.lemma for nouns in words.nouns.values() for noun in nouns}
    verbs = {frame.verb.infinitive for frame in words.frames}
    adjectives = {adjective.lemma for adjective in words.adjectives}
    assert len(nouns) + len(verbs) + len(adjectives) >= 1000


# What would be an error in any sentence. A relative pronoun looks like an article.
GERMAN_ERRORS = (
    r"\b(in dem|zu dem|zu der|an dem|an das|in das|von dem|bei dem) ",
    r"\b(ein|mein|kein|unser) [a-zäöü]+e (Mann|Lehrer|Arzt|Freund|Hund|Tisch)\b",
    r"\b(ein|mein|kein|unser) [a-zäöü]+(e|er) (Kind|Haus|Buch|Auto|Bild)\b",
    r"(?<!, )\b(den|dem|des|einem|meinem|seinem|im|zum|am|vom|diesem) [a-zäöü]+(es|er|em) [A-ZÄÖÜ]",
    r"(?<!, )\b(den|dem|des|einem|im|zum|vom|diesem) (?!die |alle |eine |jede |viele |keine |"
    r"einige |mehrere |diese |[mds]eine |ihre |eure |unsere )[a-zäöü]+e [A-ZÄÖÜ]",
    r"\b(mit|nach|von|zu|aus|bei|seit) (die|das|des|ein|eine|einen|mich|dich|ihn) ",
    r"\b(für|gegen|durch) (dem|des|einem|einer|mir|dir|ihm) ",
    r"\b(dem|des|einem|einen|den) (Student|Junge|Kollege|Kunde|Polizist|Nachbar|Mensch|Löwe)\b",
    r"\bdes (Mann|Haus|Kind|Auto|Lehrer|Vater|Hund|Buch)\b",
    r"\bden (Kinder|Häuser|Freunde|Hunde|Männer|Bücher|Ärzte) ",
    r"\b(du|wir) (hat|ist|wird|kann|muss|seid|habt) ",
    r"  | ,$|, [.,?!]|^[a-zäöü]",
)
ENGLISH_ERRORS = (
    r"\ba [aeio]",
    r"\ban [bcdfgjklmnpqrstvwxz]",
    r"\b(he|she|it|He|She|It) (are|were|am)\b",
    r"\bI (is|are|has|does|were) ",
    r"\b(we|they|We|They) (is|has|does|was|am)\b",
    r"\b(does|did|do) (not )?(went|saw|bought|came|had|was|were|has|goes)\b",
    r"\b(to to|the the|a the|the a|not not|of of)\b",
    r"\b(two|three|four|five|many|several) (man|woman|child|dog|house|book|teacher)\b",
    r"\bPOSS\b|  | ,$|, [.,?!]|^[a-z]",
)


def test_no_errors_that_a_pattern_can_see(corpus):
    german, english = re.compile("|".join(GERMAN_ERRORS)), re.compile("|".join(ENGLISH_ERRORS))
    assert [pair.source for pair in corpus if german.search(pair.source)] == []
    # Unreal conditions have "were" for all persons.
    assert [
        pair.target
        for pair in corpus
        if english.search(re.sub(r"\b([Ii]f (I|he|she|it)) were\b", r"\1 was", pair.target))
    ] == []


def test_words_with_several_translations(corpus):
    wanted = {
        "Bank": {"bank", "bench"},
        "Schloss": {"castle", "lock"},
        "Gericht": {"court", "dish"},
        "Decke": {"blanket", "ceiling"},
        "weiß": {"knows", "know"},
        "kennt": {"knows", "know"},
    }
    found = {word: set() for word in wanted}
    for pair in generate(25000, seed=5):
        for position, word in enumerate(pair.source.split()):
            if word in found:
                found[word].update(linked(pair, position))
    for word, translations in wanted.items():
        assert translations & found[word], (word, found[word])
    assert {"bank", "bench"} <= found["Bank"]
    assert {"castle", "lock"} <= found["Schloss"]
