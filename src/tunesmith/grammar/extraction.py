"""From aligned text to a phrase table (Koehn, Och & Marcu 2003), with reordering scores."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from tunesmith import _core
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.progress import progress
from tunesmith.corpus import Bitext
from tunesmith.corpus.sentences import Ids, Offsets
from tunesmith.engine import Engine, EngineLike, as_engine, engine_parameter
from tunesmith.engine.shards import ranges
from tunesmith.formats.pharaoh import Links, read_links
from tunesmith.grammar.prune import THRESHOLDS, significant_rules
from tunesmith.grammar.table import ORIGIN, SCORE_NAMES, PhraseTable

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
        with (
            progress("extracting phrases", len(bitext)) as bar,
            self._shards(bitext, links, Path(path), bar.advance) as shards,
        ):
            _core.build_phrase_table(
                *text_with_links(bitext, links),
                bitext.source.vocabulary.native,
                bitext.target.vocabulary.native,
                self._native(as_engine(self.engine)),
                str(path),
                json.dumps(self.meta(bitext.corpora)),
                bar.advance,
                shards,
                bitext.origin_numbers,
                bitext.corpora,
            )
        return PhraseTable(path)

    def _native(self, engine: Engine) -> _core.TableOptions:
        """The core's form of the options."""
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
        options.memory, options.threads = self.memory_mb << 20, engine.threads
        return options

    @contextmanager
    def _shards(
        self, bitext: Bitext, links: Links, path: Path, advance: Callable[[int], None]
    ) -> Iterator[list[str]]:
        """Files of phrase pairs that workers extracted; none where there is one memory only."""
        engine = as_engine(self.engine)
        if engine.workers == 1:
            yield []
            return
        with TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
            bitext.save(Path(folder) / "text")
            links.save(Path(folder) / "links")
            parts = ranges(len(bitext), engine.workers)
            own = replace(self, engine=engine.share(len(parts)))
            work = partial(extract_shard, extraction=own, folder=Path(folder))
            files = dict.fromkeys(range(len(parts)), Path())
            for number, file in engine.as_done(work, parts):
                files[number] = file
                advance(parts[number][1] - parts[number][0])
            yield list(map(str, files.values()))

    def meta(self, corpora: int = 1) -> dict[str, object]:
        """What the table remembers: names of scores, shape of the reordering model, options."""
        options = asdict(self)
        del options["engine"], options["memory_mb"]  # they do not change the table
        return {
            "scores": [*SCORE_NAMES, *origin_names(corpora)],
            "reordering": reordering_names(self.reordering, self.classes),
            "options": options,
        }


def extract_shard(part: tuple[int, int], extraction: PhraseExtraction, folder: Path) -> Path:
    """The phrase pairs of some sentences of the text in `folder`: the file that has them."""
    bitext, links = Bitext.load(folder / "text"), read_links(folder / "links")
    path = folder / f"pairs.{part[0]}"
    options = extraction._native(as_engine(extraction.engine))
    _core.extract_phrase_pairs(*text_with_links(bitext, links), options, *part, str(path))
    return path


def text_with_links(
    bitext: Bitext, links: Links
) -> tuple[Offsets, Ids, Offsets, Ids, Offsets, Ids, Ids]:
    """The arrays that the core takes for a corpus."""
    source, target = bitext.source, bitext.target
    return (
        source.offsets, source.ids, target.offsets, target.ids,
        links.offsets, links.source, links.target,
    )  # fmt: skip


def origin_names(corpora: int) -> list[str]:
    """The scores that a rule has for each of several corpora.

    >>> origin_names(1), origin_names(2)
    ([], ['corpus1', 'corpus2'])
    """
    return [f"{ORIGIN}{number}" for number in range(1, corpora + 1)] if corpora > 1 else []


def reordering_names(direction: str, classes: str) -> list[str]:
    """The features of a lexicalised model, in the order of its scores.

    >>> reordering_names("backward", "msd")
    ['previous.monotone', 'previous.swap', 'previous.discontinuous']
    """
    return [f"{side}.{name}" for side in DIRECTIONS[direction] for name in CLASSES[classes]]
