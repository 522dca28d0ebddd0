"""`CommandDecoder`: any program that reads weights and writes n-best lists."""

import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tunesmith.base.atomic import atomic_text
from tunesmith.base.errors import InputError, OptionError, TunesmithError
from tunesmith.base.weights import Weights
from tunesmith.decode.base import Decoder, Session, SourceText, WeightVector
from tunesmith.decode.output import DecoderOutput
from tunesmith.decode.sentence import SourceSentence
from tunesmith.decode.want import KBest
from tunesmith.engine import EngineLike
from tunesmith.formats.nbest import read_nbest
from tunesmith.formats.plf import Lattice
from tunesmith.formats.weights import write_weights


@dataclass(frozen=True)
class CommandDecoder(Decoder):
    """Any decoder that a shell command runs.

    ``{weights}``, ``{nbest}``, ``{size}`` and ``{source}`` in the command become the file with the
    weights (in `weights_format`), the file where the command must leave its n-best list (any
    `dialect` that `read_nbest` knows), the number of translations wanted, and a file with the
    sentences. A command without ``{source}`` has its sentences from elsewhere, and can translate
    no others.
    """

    command: str
    folder: Path | None = None
    """Where the files are, and stay; by default they are temporary."""
    weights_format: str = "tsv"
    dialect: str = "auto"

    def __post_init__(self) -> None:
        for field in ("{weights}", "{nbest}"):
            if field not in self.command:
                raise OptionError(f"the decoder command has no {field}: {self.command}")

    @property
    def names(self) -> tuple[str, ...]:
        """Unknown before it has run."""
        return ()

    @property
    def all_names(self) -> None:
        """Only its lists tell."""

    def session(
        self, weights: Weights | WeightVector | None = None, *, engine: EngineLike | None = None
    ) -> "CommandSession":
        """Runs of the command with `weights`, by name; threads are its own."""
        if not isinstance(weights, Weights):
            raise OptionError("a decoder command needs weights by name")
        return CommandSession(self, weights)


@dataclass(frozen=True)
class CommandSession(Session):
    """Runs of a command with the same weights."""

    decoder: CommandDecoder
    weights: Weights

    def lists(self, sentences: SourceText, want: KBest) -> DecoderOutput:
        """Run the command and read its list."""
        if self.decoder.folder is not None:
            self.decoder.folder.mkdir(parents=True, exist_ok=True)
            return self._run(sentences, want, self.decoder.folder)
        with TemporaryDirectory(prefix="tunesmith.") as folder:
            return self._run(sentences, want, Path(folder))

    def _run(self, sentences: SourceText, want: KBest, folder: Path) -> DecoderOutput:
        decoder = self.decoder
        files = {name: folder / name for name in ("weights.in", "source.in", "nbest.out")}
        nbest = files["nbest.out"]
        nbest.unlink(missing_ok=True)
        write_weights(files["weights.in"], self.weights, decoder.weights_format)
        if "{source}" in decoder.command:
            with atomic_text(files["source.in"]) as stream:
                stream.writelines(f"{_words(sentence)}\n" for sentence in sentences)
        command = decoder.command.replace("{size}", str(want.size))
        for path in files.values():
            command = command.replace(f"{{{path.stem}}}", shlex.quote(str(path)))
        finished = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        if finished.returncode != 0 or not nbest.exists():
            lines = finished.stderr.strip().splitlines() or ["it said nothing"]
            what = (
                f"ended with exit code {finished.returncode}"
                if finished.returncode
                else "left no n-best list"
            )
            raise TunesmithError(f"the decoder command {what}: {lines[-1]} ({command})")
        found = read_nbest(nbest, decoder.dialect)
        if found.sentences != len(sentences):
            raise InputError(
                nbest, 0, f"lists of {found.sentences:,} sentences", f"{len(sentences):,}",
                "the command must translate the sentences of the references",
            )  # fmt: skip
        return DecoderOutput(
            found.offsets,
            found.texts,
            found.scores(self.weights),
            found.dense,
            found.dense_names,
            (found.sparse_offsets, found.sparse_ids, found.sparse_values),
            found.sparse_names,
        )


def _words(sentence: str | SourceSentence | Lattice) -> str:
    if isinstance(sentence, (str, Lattice)):
        return str(sentence)
    if sentence.forced or sentence.walls or sentence.zones:
        raise OptionError("a decoder command takes plain sentences, without constraints")
    return " ".join(sentence.words)
