"""Verb groups of both languages for tense, modal and voice."""

from dataclasses import dataclass, replace

from tunesmith.corpus.phrasebook.english_words import EnglishVerb
from tunesmith.corpus.phrasebook.english_words import conjugate as english_verb
from tunesmith.corpus.phrasebook.german_verbs import SUBJUNCTIVE, GermanVerb
from tunesmith.corpus.phrasebook.german_verbs import conjugate as german_verb
from tunesmith.corpus.phrasebook.phrases import Chance, Token
from tunesmith.corpus.phrasebook.urn import Urn

HABEN, SEIN, WERDEN = german_verb("haben"), german_verb("sein"), german_verb("werden")
# In the passive the participle has no ge-; lassen has the infinitive instead.
PASSIVE = replace(WERDEN, participle="worden")
LASSEN = replace(german_verb("lassen"), participle="lassen")
BE, HAVE, DO = english_verb("be"), english_verb("have"), english_verb("do")


@dataclass(frozen=True, slots=True)
class Modal:
    """A modal verb with its translations; a word that *do* never supports is an `EnglishVerb`
    whose forms are all alike (*can*), the others are phrases (*have to*).
    """

    german: GermanVerb
    present: Urn[EnglishVerb]
    negated: Urn[EnglishVerb]
    past: Urn[EnglishVerb] | None


def _auxiliary(word: str) -> EnglishVerb:
    return EnglishVerb(word, (word,) * 3, (word,) * 3, "", "", (), "")


_CAN, _COULD = _auxiliary("can"), _auxiliary("could")
_MUST, _SHOULD, _MAY = _auxiliary("must"), _auxiliary("should"), _auxiliary("may")
_WOULD_LIKE = EnglishVerb("would", ("would",) * 3, ("would",) * 3, "", "", ("like", "to"), "")
_ABLE, _HAVE_TO, _WANT = (english_verb(text) for text in ("be able to", "have to", "want to"))
_ALLOWED, _SUPPOSED = english_verb("be allowed to"), english_verb("be supposed to")
_INVARIABLE = {"can", "could", "must", "should", "may", "would", "will"}

MODALS = Urn(
    [
        Modal(
            german_verb("können"),
            Urn([_CAN, _ABLE], [8, 2]),
            Urn([_CAN, _ABLE], [8, 2]),
            Urn([_COULD, _ABLE], [7, 3]),
        ),
        Modal(
            german_verb("müssen"),
            Urn([_HAVE_TO, _MUST], [6, 4]),
            Urn([_HAVE_TO]),
            Urn([_HAVE_TO]),
        ),
        Modal(german_verb("wollen"), Urn([_WANT]), Urn([_WANT]), Urn([_WANT])),
        Modal(
            german_verb("sollen"),
            Urn([_SHOULD, _SUPPOSED], [8, 2]),
            Urn([_SHOULD, _SUPPOSED], [9, 1]),
            Urn([_SUPPOSED]),
        ),
        Modal(german_verb("möchten"), Urn([_WOULD_LIKE]), Urn([_WOULD_LIKE]), None),
        Modal(
            german_verb("dürfen"),
            Urn([_MAY, _ALLOWED], [5, 5]),
            Urn([_MUST, _ALLOWED, _MAY], [5, 4, 1]),
            Urn([_ALLOWED]),
        ),
    ],
    [0.3, 0.23, 0.19, 0.11, 0.11, 0.06],
)


CAN = MODALS.items[0]
# Things neither want nor would like to.
THING_MODALS = Urn(
    [modal for modal in MODALS.items if modal.german.infinitive not in {"wollen", "möchten"}],
    [0.4, 0.35, 0.2, 0.05],
)
# *Wenn ich schwimmen könnte*, *wenn ich Zeit hätte*, *wenn ich reich wäre*.
COULD = Modal(
    replace(german_verb("können"), present=SUBJUNCTIVE["können"]),
    Urn([_COULD]),
    Urn([_COULD]),
    None,
)
HAD = replace(HABEN, present=SUBJUNCTIVE["haben"])
WERE = replace(SEIN, present=SUBJUNCTIVE["sein"])
ENGLISH_WERE = replace(BE, past=("were",) * 3)


@dataclass(slots=True)
class VerbGroup:
    """The verbs of a clause, ready to be put in order."""

    finite: Token
    tail: list[Token]  # prefix, participles and infinitives of a main clause
    finite_last: Token  # the finite verb of a clause that ends with it, with its prefix
    tail_last: list[Token]
    english_finite: Token
    english_auxiliary: bool
    english_do: str  # what supports the verb in questions and negation …
    english_base: str  # … and the verb after it
    english_rest: list[Token]
    particle: Token | None


def _english_parts(
    style: str, verb: EnglishVerb, agreement: int
) -> tuple[str, bool, tuple[str, ...]]:
    """The finite word, whether it is an auxiliary, and the words up to the main verb."""
    if style == "simple":
        return verb.present[agreement], verb.base == "be", ()
    if style == "past":
        return verb.past[agreement], verb.base == "be", ()
    if style == "progressive":
        return BE.present[agreement], True, (verb.gerund,)
    if style == "will":
        return "will", True, (verb.base,)
    if style == "perfect":
        return HAVE.present[agreement], True, (verb.participle,)
    if style == "going":
        return BE.present[agreement], True, ("going", "to", verb.base)
    if style == "past_perfect":
        return "had", True, (verb.participle,)
    if style == "past_progressive":
        return BE.past[agreement], True, (verb.gerund,)
    if style == "perfect_progressive":
        return HAVE.present[agreement], True, ("been", verb.gerund)
    return "would", True, (verb.base,)


# Tense → the German finite verb of two-part tenses.
_GERMAN_AUXILIARY = {
    "future": WERDEN.present,
    "conditional": SUBJUNCTIVE["werden"],
}


def verb_group(
    chance: Chance,
    tense: str,
    style: str,
    verb: GermanVerb,
    translation: EnglishVerb,
    agreement: int,
    english_agreement: int,
    *,
    negated: bool = False,
    modal: Modal | None = None,
    lead: str = "",
) -> VerbGroup:
    """All verbs of a clause.

    `tense` is German's (present, preterite, perfect, pluperfect, future, conditional, modal,
    modal_past), `style` English's. `lead` is a participle or infinitive that `verb` governs and
    that is linked with the tail of `translation`: *gelesen* before *werden*, *be read*.
    """
    main = chance.link()
    inner = main
    leading: list[Token] = []
    if lead:
        inner = chance.link()
        leading = [(lead, inner)]
    helper = main
    if tense == "present" or tense == "preterite":
        word = (verb.present if tense == "present" else verb.preterite)[agreement]
        finite = (word, main)
        tail = [*leading, (verb.prefix, main)] if verb.prefix else leading
        finite_last, tail_last = (verb.prefix + word, main), leading
    else:
        if tense == "perfect" or tense == "pluperfect":
            auxiliary = SEIN if verb.takes_sein else HABEN
            forms = auxiliary.present if tense == "perfect" else auxiliary.preterite
            word, last = forms[agreement], verb.participle
        else:
            helper = chance.link()
            if modal is not None:
                forms = modal.german.present if tense == "modal" else modal.german.preterite
            else:
                forms = _GERMAN_AUXILIARY[tense]
            word, last = forms[agreement], verb.infinitive
        finite = finite_last = (word, helper)
        tail = tail_last = [*leading, (last, main)]
    # Where German has one verb, `helper` is `main`: all English words are linked with it.
    if modal is not None:
        past = tense == "modal_past"
        if past and modal.past is not None:
            via = chance.pick(modal.past)
        else:
            via = chance.pick(modal.negated if negated else modal.present)
        word = (via.past if past else via.present)[english_agreement]
        is_auxiliary = via.base in _INVARIABLE or via.base == "be"
        base = via.base
        rest = [(piece, helper) for piece in via.tail]
        rest.append((translation.base, main))
    else:
        past = style == "past"
        word, is_auxiliary, pieces = _english_parts(style, translation, english_agreement)
        base = translation.base
        rest = [(piece, helper) for piece in pieces[:-1]]
        rest += [(piece, main) for piece in pieces[-1:]]
    rest += [(piece, inner) for piece in translation.tail]
    return VerbGroup(
        finite,
        tail,
        finite_last,
        tail_last,
        (word, helper),
        is_auxiliary,
        "did" if past else DO.present[english_agreement],
        base,
        rest,
        (translation.particle, main) if translation.particle else None,
    )
