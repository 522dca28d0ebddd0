"""From aligned text to a phrase table (Koehn, Och & Marcu 2003), with reordering scores."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tunesmith import _core
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.progress import progress
from tunesmith.corpus import Bitext
from tunesmith.engine import EngineLike, as_engine, engine_parameter
from tunesmith.formats.pharaoh import Links
from tunesmith.grammar.prune import THRESHOLDS, significant_rules
from tunesmith.grammar.table import SCORE_NAMES, PhraseTable

# Name of a direction of the lexicalised model → which neighbours it looks at.
DIRECTIONS = {
    "bidirectional": ("previous", "next"),
    "backward": ("previous",),
    "forward": ("next",),
    "none": (),
}
CLASSES = {
    "msd": ("monotone", "swap", "discontinuous"),
    "mslr": ("monotone", "swap", "left", "right"),
}
SMOOTHINGS = {"none": "NONE", "good-turing": "GOOD_TURING", "kneser-ney": "KNESER_NEY"}
ORIENTATIONS = {"word": "WORD", "phrase": "PHRASE", "hierarchical": "HIERARCHICAL"}


@dataclass(frozen=True)
class PhraseExtraction:
    """Which phrase pairs are taken from aligned text, and how they are scored.

    >>> from tempfile import mkdtemp
    >>> text = Bitext.from_lines(["das Haus"], ["the house"])
    >>> links = Links.from_lists([[(0, 0), (1, 1)]])
    >>> table = PhraseExtraction().run(text, links, Path(mkdtemp()) / "table.bin")
    >>> [rule.target for rule in table.rules("das Haus")]
    ['the house']
    """

    max_length: int = parameter(7, "longest phrase, in words", at_least=1, at_most=8)
    smoothing: str = parameter(
        "kneser-ney", "smoothing of the phrase probabilities", choices=tuple(SMOOTHINGS)
    )
    limit: int = parameter(
        100, "rules kept for each source phrase, the most frequent; 0 keeps all", at_least=0
    )
    min_count: int = parameter(1, "pairs seen less often are dropped", at_least=1)
    significance: str = parameter(
        "none",
        "drop pairs that may be a coincidence (Johnson et al. 2007); a-e keeps phrases seen "
        "once, together, a+e does not",
        choices=tuple(THRESHOLDS),
    )
    reordering: str = parameter(
        "bidirectional", "direction of the lexicalised reordering model", choices=tuple(DIRECTIONS)
    )
    classes: str = parameter("msd", "orientation classes", choices=tuple(CLASSES))
    orientation: str = parameter(
        "word", "how neighbours are recognised", choices=tuple(ORIENTATIONS)
    )
    conditioned_on: str = parameter(
        "fe", "what the reordering model is conditioned on", choices=("f", "fe")
    )
    reordering_smoothing: float = parameter(0.5, "added to the count of every orientation", above=0)
    memory_mb: int = parameter(1024, "megabytes for counting before the disk is used", at_least=16)
    engine: EngineLike = engine_parameter()

    def run(self, bitext: Bitext, links: Links, path: str | Path) -> PhraseTable:
        """Extract, score and write the table to `path`."""
        check_parameters(self)
        if self.significance == "none":
            return self._build(bitext, links, path)
        whole = Path(f"{path}.whole")
        try:
            table = self._build(bitext, links, whole)
            return significant_rules(
                table, bitext, path, threshold=self.significance, engine=self.engine
            )
        finally:
            whole.unlink(missing_ok=True)

    def _build(self, bitext: Bitext, links: Links, path: str | Path) -> PhraseTable:
        options = _core.TableOptions()
        options.max_length = self.max_length
        options.smoothing = _core.CountSmoothing[SMOOTHINGS[self.smoothing]]
        options.limit, options.min_count = self.limit, self.min_count
        options.previous = "previous" in DIRECTIONS[self.reordering]
        options.next = "next" in DIRECTIONS[self.reordering]
        options.mslr = self.classes == "mslr"
        options.on_pair = self.conditioned_on == "fe"
        options.orientation = _core.OrientationModel[ORIENTATIONS[self.orientation]]
        options.reordering_smoothing = self.reordering_smoothing
        options.memory, options.threads = self.memory_mb << 20, as_engine(self.engine).threads
        with progress("extracting phrases", len(bitext)) as bar:
            _core.build_phrase_table(
                bitext.source.offsets,
                bitext.source.ids,
                bitext.target.offsets,
                bitext.target.ids,
                links.offsets,
                links.source,
                links.target,
                bitext.source.vocabulary.native,
                bitext.target.vocabulary.native,
                options,
                str(path),
                json.dumps(self.meta()),
                bar.advance,
            )
        return PhraseTable(path)

    def meta(self) -> dict[str, object]:
        """What the table remembers: names of scores, shape of the reordering model, options."""
        options = asdict(self)
        del options["engine"], options["memory_mb"]  # they do not change the table
        return {
            "scores": SCORE_NAMES,
            "reordering": reordering_names(self.reordering, self.classes),
            "options": options,
        }


def reordering_names(direction: str, classes: str) -> list[str]:
    """The features of a lexicalised model, in the order of its scores.

    >>> reordering_names("backward", "msd")
    ['previous.monotone', 'previous.swap', 'previous.discontinuous']
    """
    return [f"{side}.{name}" for side in DIRECTIONS[direction] for name in CLASSES[classes]]
