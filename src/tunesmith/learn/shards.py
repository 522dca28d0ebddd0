"""Shards of a parallel corpus with the grammars of their sentences, for learning on many machines.

FOLDER/
manifest.json     what was cut, how, and the hashes of all files
0000/source.txt   some pairs, a sentence a line (target.txt: the other side)
0000/grammars.bin the rules of each source sentence, as the other pairs of the text give them

Simianer, Riezler & Dyer (2012) learn on 2,290 shards of this kind; rules of a sentence that come
from its own pair would teach nothing (leave-one-out).
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tunesmith
from tunesmith.base.atomic import atomic_directory, atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json
from tunesmith.base.lock import locked
from tunesmith.base.parameters import check_parameters, parameter
from tunesmith.base.progress import progress
from tunesmith.base.resume import check_settings
from tunesmith.base.rundir import file_hash
from tunesmith.corpus import Bitext
from tunesmith.engine import EngineLike, as_engine, engine_parameter
from tunesmith.engine.shards import ranges
from tunesmith.formats.text import read_lines
from tunesmith.grammar import HieroIndex, ScfgGrammar
from tunesmith.grammar.packed_grammars import PackedGrammars, write_grammars

MANIFEST = "manifest.json"
SOURCE, TARGET, GRAMMARS = "source.txt", "target.txt", "grammars.bin"
_REMEDY = "`tunesmith shard` with the same options makes what is missing again"


@dataclass(frozen=True)
class Sharding:
    """How a corpus is cut, and which rules its sentences have."""

    size: int = parameter(1000, "pairs of a shard, about", at_least=1)
    leave_out: bool = parameter(True, "a sentence has no rules that only its own pair supports")
    engine: EngineLike = engine_parameter()

    def run(self, text: str | Path, index: str | Path, folder: str | Path) -> "Shards":
        """Cut the pairs of the file `text`, which `index` is of, into shards in `folder`.

        What is there already from a run that was killed, or has been changed since, is found out;
        only what is missing is made.
        """
        check_parameters(self)
        text, index, folder = Path(text), Path(index), Path(folder)
        pairs = Bitext.load(text)
        if len(pairs) != len(HieroIndex(index)):
            raise InputError(
                index, 0, f"an index of {len(HieroIndex(index)):,} pairs",
                f"{len(pairs):,}, as {text} has", "make it of the same text",
            )  # fmt: skip
        settings = {
            "tunesmith": tunesmith.__version__,
            "pairs": len(pairs),
            "size": self.size,
            "leave_out": self.leave_out,
            "text": file_hash(text),
            "index": file_hash(index),
        }
        with locked(folder):
            return self._run(pairs, text, index, folder, settings)

    def _run(
        self, pairs: Bitext, text: Path, index: Path, folder: Path, settings: dict[str, Any]
    ) -> "Shards":
        cut = ranges(len(pairs), max(1, round(len(pairs) / self.size)))
        for left in folder.glob(".making-*"):  # by a run that was killed
            shutil.rmtree(left)
        done = _done(folder, settings, len(cut))
        engine = as_engine(self.engine)
        missing = [number for number in range(len(cut)) if number not in done]
        with (
            TemporaryDirectory(prefix=".making-", dir=folder) as made,
            progress("cutting shards", len(pairs)) as bar,
        ):
            bar.advance(sum(end - begin for n, (begin, end) in enumerate(cut) if n in done))
            work = partial(
                grammars_of,
                work=GrammarWork(text, index, self.leave_out, Path(made)),
            )
            parts = [cut[number] for number in missing]
            for place, path in engine.as_done(work, parts):
                number, (begin, end) = missing[place], parts[place]
                done[number] = _finish(folder, number, pairs, begin, end, path, settings)
                bar.advance(end - begin)
        shards = [done[number] for number in range(len(cut))]
        _write_json(folder / MANIFEST, {**settings, "shards": shards})
        return Shards(folder)


@dataclass(frozen=True)
class GrammarWork:
    """What a worker needs to know besides the range of pairs."""

    text: Path
    index: Path
    leave_out: bool
    made: Path
    """Where it leaves the file that it makes."""


def grammars_of(part: tuple[int, int], work: GrammarWork) -> Path:
    """A file with the grammars of the pairs of a range."""
    begin, end = part
    text, index = Bitext.load(work.text), HieroIndex(work.index)
    path = work.made / f"{begin}.bin"
    write_grammars(
        path,
        (
            index.rules(line, leave_out=number if work.leave_out else None).grammar()
            for number, line in enumerate(text.source.lines(begin, end), begin)
        ),
    )
    return path


@dataclass(frozen=True)
class CorpusShard:
    """One shard; its files are compared with the manifest when it is opened."""

    folder: Path
    hashes: dict[str, str]
    begin: int
    """The number of its first pair in the corpus."""
    pairs: int

    def __len__(self) -> int:
        return self.pairs

    def open(self) -> "OpenShard":
        """The pairs and their grammars; a file that is missing or not the same is refused."""
        self.check()
        return OpenShard(
            read_lines(self.folder / SOURCE),
            read_lines(self.folder / TARGET),
            PackedGrammars(self.folder / GRAMMARS),
        )

    def check(self) -> None:
        """Refuse a file that is missing or has changed."""
        for name, known in self.hashes.items():
            path = self.folder / name
            if not path.is_file():
                raise InputError(path, 0, "missing", f"shard {self.folder.name} whole", _REMEDY)
            if file_hash(path) != known:
                raise InputError(
                    path, 0, "changed since the manifest was written",
                    f"shard {self.folder.name} as it was", _REMEDY,
                )  # fmt: skip


@dataclass(frozen=True)
class OpenShard:
    """What is in a shard: three things for every pair."""

    sources: list[str]
    targets: list[str]
    grammars: Sequence[ScfgGrammar]


class Shards(Sequence[CorpusShard]):
    """The shards of a folder."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        path = self.folder / MANIFEST
        self.manifest = _read_json(path)
        try:
            self._shards = [
                CorpusShard(
                    self.folder / str(one["name"]),
                    {str(name): str(known) for name, known in one["files"].items()},
                    int(one["begin"]),
                    int(one["pairs"]),
                )
                for one in self.manifest["shards"]
            ]
            whole = int(self.manifest["pairs"])
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise InputError(path, 0, "no list of shards", "a manifest", _REMEDY) from error
        if sum(one.pairs for one in self._shards) != whole:
            raise InputError(path, 0, "shards of another corpus", f"{whole:,} pairs", _REMEDY)

    def __len__(self) -> int:
        return len(self._shards)

    def __getitem__(self, index: Any) -> Any:
        return self._shards[index]

    def __iter__(self) -> Iterator[CorpusShard]:
        return iter(self._shards)

    def check_origin(self, text: Path, index: Path) -> None:
        """Refuse shards that were not cut from this text, or not with this index."""
        for name, path in (("text", text), ("index", index)):
            if self.manifest.get(name) != file_hash(path):
                raise InputError(
                    self.folder / MANIFEST, 0, f"shards of another {name}", f"those of {path}",
                    "`tunesmith shard --work` cuts them",
                )  # fmt: skip

    def check(self) -> None:
        """Refuse the first shard that is missing or has changed."""
        for shard in self:
            shard.check()


def _done(folder: Path, settings: dict[str, Any], count: int) -> dict[int, dict[str, Any]]:
    """The shards that an earlier run has finished and nobody has touched since."""
    if (folder / MANIFEST).exists():
        known = {k: v for k, v in _read_json(folder / MANIFEST).items() if k != "shards"}
        check_settings(folder, known, settings, run="corpus in shards")
    done = {}
    for number in range(count):
        path = folder / _name(number) / "shard.json"
        if not path.exists():
            continue
        record = _read_json(path)
        check_settings(folder, record.pop("settings", {}), settings, run="corpus in shards")
        try:
            shard = CorpusShard(path.parent, record["files"], record["begin"], record["pairs"])
            shard.check()
        except (InputError, KeyError, TypeError, AttributeError):
            continue
        done[number] = record
    return done


def _finish(
    folder: Path,
    number: int,
    pairs: Bitext,
    begin: int,
    end: int,
    grammars: Path,
    settings: dict[str, Any],
) -> dict[str, Any]:
    """Put a shard in its place: it is there as a whole or not at all."""
    with atomic_directory(folder / _name(number)) as new:
        for name, side in ((SOURCE, pairs.source), (TARGET, pairs.target)):
            with atomic_text(new / name) as stream:
                stream.writelines(f"{line}\n" for line in side.lines(begin, end))
        shutil.move(grammars, new / GRAMMARS)
        record = {
            "name": _name(number),
            "begin": begin,
            "pairs": end - begin,
            "files": {name: file_hash(new / name) for name in (SOURCE, TARGET, GRAMMARS)},
        }
        _write_json(new / "shard.json", {**record, "settings": settings})
    return record


def _name(number: int) -> str:
    return f"{number:04}"


def _write_json(path: Path, value: dict[str, Any]) -> None:
    with atomic_text(path) as stream:
        json.dump(value, stream, indent=1)
        stream.write("\n")


def _read_json(path: Path) -> dict[str, Any]:
    try:
        value = parse_json(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(path, 0, error.strerror or str(error), "a corpus in shards") from error
    except ValueError as error:
        raise InputError(path, 0, "no JSON", "a corpus in shards", _REMEDY) from error
    if not isinstance(value, dict):
        raise InputError(path, 0, "no JSON object", "a corpus in shards", _REMEDY)
    return value
