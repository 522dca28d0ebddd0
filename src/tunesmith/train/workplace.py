"""What the stages of a training run share: files, options, and where those before left theirs."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from tunesmith.align import Aligner
from tunesmith.base.errors import OptionError
from tunesmith.corpus import Bitext
from tunesmith.corpus.coding import BITEXT_FILE, set_file
from tunesmith.decode.base import SourceText
from tunesmith.engine import EngineLike
from tunesmith.features import UserTemplate, load_template
from tunesmith.formats.pharaoh import Links, links_file, read_links
from tunesmith.formats.plf import Lattice
from tunesmith.formats.text import read_lines
from tunesmith.grammar.extraction import reordering_names
from tunesmith.train.corpora import Corpora
from tunesmith.train.keywords import relevant, replace_parameters
from tunesmith.train.options import SECOND_ALIGNMENTS, TrainOptions
from tunesmith.train.stage import Stage
from tunesmith.tune import AnyTuner

# Which lines of the training text are the dev set, where none is given.
DEV_LINES = "dev.lines"


@dataclass(frozen=True)
class TrainFiles:
    """The texts that a translator is made from."""

    corpora: Corpora
    dev_source: Path | None
    """None: a part of the text is held out to tune on."""
    dev_references: Sequence[Path]

    def paths(self) -> list[Path]:
        """All of them."""
        files = (*self.corpora.paths(), self.dev_source, *self.dev_references)
        return [path for path in files if path is not None]


@dataclass(frozen=True)
class Workplace:
    """Of one run. A stage finds here what those before it wrote, and their keys."""

    files: TrainFiles
    options: TrainOptions
    work: Path
    engine: EngineLike
    names: tuple[str, ...]
    """The stages of this run, in their order."""
    stages: dict[str, Stage] = field(default_factory=dict)
    """Those that are known so far."""

    def key(self, stage: str) -> str:
        """All that decides what the stage writes."""
        return self.stages[stage].key

    def path(self, stage: str, name: str) -> Path:
        """A file of a stage before."""
        return self.stages[stage].folder(self.work) / name

    def state_folder(self, stage: str) -> Path:
        """Where a stage that is a loop keeps its state, so that a kill costs one turn of it."""
        return self.work / f"{stage}.{self.key(stage)[:8]}"

    @property
    def tables(self) -> list[str]:
        """The stages that make phrase tables."""
        return [name for name in self.names if name.startswith("phrases")]

    @property
    def grammars(self) -> list[str]:
        """The stage that indexes the text of a hierarchical model, if there is one."""
        return [name for name in self.names if name == "grammar"]

    @property
    def language_models(self) -> list[str]:
        """The stages that make language models."""
        return [name for name in self.names if name.startswith("lm")]

    @cached_property
    def user_templates(self) -> list[UserTemplate]:
        """The user's own templates of sparse features."""
        return [load_template(place) for place in self.options.template]

    def bitext(self) -> Bitext:
        """The training pairs."""
        return Bitext.load(self.path("corpus", BITEXT_FILE))

    def links(self, align: str = "align") -> Links:
        """The word links of a stage."""
        return read_links(links_file(self.path(align, "")))

    def table_links(self) -> list[Links]:
        """The links of every table that was extracted."""
        return [self.links(name) for name in self.names if name.startswith("align")]

    def dev_set(self, *, raw: bool = False) -> tuple[list[str], list[list[str]]]:
        """Source and references in tokens, or as they came."""
        sides = ["source", *(f"reference{number}" for number in range(self.dev_reference_count))]
        source, *references = (
            read_lines(self.path("corpus", set_file("dev", side, raw=raw))) for side in sides
        )
        return source, references

    def dev_reference_lines(self) -> list[str]:
        """All references in tokens, one after the other."""
        return [line for lines in self.dev_set()[1] for line in lines]

    @property
    def dev_reference_count(self) -> int:
        """References of the dev set; one that is held out has one."""
        return len(self.files.dev_references) or 1

    @property
    def has_whole_compounds(self) -> bool:
        """Whether compounds of the source are kept whole beside their parts."""
        return self.options.text.split_compounds == "both"

    def dev_input(self) -> SourceText:
        """What is decoded of the dev set: its source, or lattices with whole compounds."""
        if self.has_whole_compounds:
            path = self.path("corpus", set_file("dev", "plf"))
            return [Lattice.parse(line, path, n) for n, line in enumerate(read_lines(path), 1)]
        return self.dev_set()[0]

    def unused(self) -> tuple[str, ...]:
        """Dense features that the feature set does not have."""
        if self.grammars:
            return ()
        phrases, wanted = self.options.phrases, self.options.feature_set
        scores = reordering_names(phrases.reordering, phrases.classes)
        lexicalized = self.options.has_lexicalized
        off = () if lexicalized else tuple(f"reorder.{score}" for score in scores)
        return (*off, *wanted.unused)

    def tuner(self) -> AnyTuner:
        """That of the section tune."""
        return self.options.tuning.make_tuner(seed=self.options.seed, engine=self.engine)


def second_aligner(options: TrainOptions) -> Aligner:
    """The aligner of the second table; one like the first is refused."""
    first, other = options.align, options.second_alignment
    second = replace_parameters(first, **SECOND_ALIGNMENTS[other])
    if relevant(second) == relevant(first):
        raise OptionError(f"second_table is '{other}', the model of the first table")
    return second
