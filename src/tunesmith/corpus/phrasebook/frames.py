"""Choosing verbs: all frames, those for people, for passives, for a given noun."""

from collections.abc import Callable

from tunesmith.corpus.phrasebook.lexicon import Frame, Noun, lexicon
from tunesmith.corpus.phrasebook.noun_phrases import NounPhrases
from tunesmith.corpus.phrasebook.urn import Urn, zipf

# Subjects that are pronouns by nature and no class of nouns.
PRONOUN_SUBJECTS = {"es", "wir"}
# Sections of verbs that govern a clause; they make no clause by themselves.
GOVERNING = ("that", "whether", "infinitive")


class Frames:
    """Urns of verb frames; a section's weight is shared out by rank."""

    def __init__(self, nouns: NounPhrases) -> None:
        words = lexicon()
        by_section: dict[str, list[Frame]] = {}
        for frame in words.frames:
            by_section.setdefault(frame.section, []).append(frame)
        self._nouns = nouns
        self._frames: list[Frame] = []
        self._weight: dict[int, float] = {}
        governing = {name: by_section.pop(name) for name in GOVERNING}
        for section, members in by_section.items():
            ranks = zipf(len(members), offset=6.0)
            scale = words.section_weights[section] / sum(ranks)
            self._frames.extend(members)
            for frame, rank in zip(members, ranks, strict=True):
                self._weight[id(frame)] = rank * scale
        self.governing = {
            name: Urn(members, zipf(len(members), offset=2.0))
            for name, members in governing.items()
        }
        self.all = self._urn(self._frames)
        self.personal = self.select(lambda frame: frame.subject.startswith("who"))
        self.actions = self.select(
            lambda frame: frame.subject.startswith("who") and "st" not in frame.flags
        )
        self.passives = self.select(
            lambda frame: (
                bool(frame.accusative)
                and not (frame.dative or frame.fixed or frame.reflexive or "nopass" in frame.flags)
            )
        )
        # What one lets others do.
        self.services = self.select(lambda frame: "let" in frame.flags)
        self._by_subject: dict[int, Urn[Frame] | None] = {}
        self._by_object: dict[int, Urn[Frame] | None] = {}
        self._members: dict[str, set[int]] = {}

    def _urn(self, frames: list[Frame]) -> Urn[Frame]:
        return Urn(frames, [self._weight[id(frame)] for frame in frames])

    def select(self, wanted: Callable[[Frame], bool]) -> Urn[Frame]:
        """The frames for which `wanted` holds."""
        return self._urn([frame for frame in self._frames if wanted(frame)])

    def _holds(self, classes: str, noun: Noun) -> bool:
        members = self._members.get(classes)
        if members is None:
            members = {id(member) for member in self._nouns.urn(classes).items}
            self._members[classes] = members
        return id(noun) in members

    def with_subject(self, noun: Noun) -> Urn[Frame] | None:
        """What `noun` can do."""
        key = id(noun)
        if key not in self._by_subject:
            frames = [
                frame
                for frame in self._frames
                if frame.subject not in PRONOUN_SUBJECTS
                and frame.section != "experiencer"
                and self._holds(frame.subject, noun)
            ]
            self._by_subject[key] = self._urn(frames) if frames else None
        return self._by_subject[key]

    def with_object(self, noun: Noun) -> Urn[Frame] | None:
        """What people can do to `noun`."""
        key = id(noun)
        if key not in self._by_object:
            frames = [
                frame
                for frame in self.personal.items
                if frame.accusative
                and not (frame.dative or frame.fixed)
                and self._holds(frame.accusative, noun)
            ]
            self._by_object[key] = self._urn(frames) if frames else None
        return self._by_object[key]
