"""The files of a training's work folder that are read by others than its stages."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tunesmith.base.atomic import atomic_directory, atomic_text
from tunesmith.base.errors import InputError
from tunesmith.base.json_text import parse_json
from tunesmith.formats.text import read_lines

#: In the folder of a stage: what decides its outputs, what it took, how tuning or learning went.
KEY_FILE, RESOURCES_FILE, RESULT_FILE = "stage.json", "resources.json", "result.json"
#: Beside the stages: their names in their order, and the translations that the run was scored by.
STAGES_FILE, SCORES_FOLDER = "stages.json", "scores"
_SCORES_FILE = "scores.json"
_REMEDY = "train again: stages that are done are kept"


@dataclass(frozen=True)
class ScoredText:
    """Translations of a dev or test set as running text, and what BLEU says of them."""

    name: str
    tokenize: str
    """BLEU's tokeniser."""
    source: Sequence[str]
    references: Sequence[Sequence[str]]
    output: Sequence[str]


def write_stage_names(work: Path, names: Sequence[str]) -> None:
    """Keep the order of the stages of a run that begins."""
    with atomic_text(work / STAGES_FILE) as stream:
        json.dump(list(names), stream)


def read_stage_names(work: Path) -> list[str]:
    """The stages of a run in their order; none of one that has not kept it."""
    path = work / STAGES_FILE
    if not path.exists():
        return []
    try:
        return [str(name) for name in parse_json(path.read_text(encoding="utf-8"))]
    except (ValueError, TypeError) as error:
        raise InputError(path, 0, "no names of stages", "", _REMEDY) from error


def write_scored_texts(work: Path, texts: Sequence[ScoredText]) -> None:
    """Keep what a run was scored by."""
    record = [
        {"name": text.name, "tokenize": text.tokenize, "references": len(text.references)}
        for text in texts
    ]
    with atomic_directory(work / SCORES_FOLDER) as folder:
        with atomic_text(folder / _SCORES_FILE) as stream:
            json.dump(record, stream, indent=1)
        for text in texts:
            for name, lines in zip(
                _files(text.name, len(text.references)),
                (text.source, text.output, *text.references),
                strict=True,
            ):
                with atomic_text(folder / name) as stream:
                    stream.writelines(f"{line}\n" for line in lines)


def read_scored_texts(work: Path) -> list[ScoredText]:
    """What a run was scored by; nothing of a run that has not ended."""
    folder = work / SCORES_FOLDER
    path = folder / _SCORES_FILE
    if not path.exists():
        return []
    try:
        record = parse_json(path.read_text(encoding="utf-8"))
        heads = [(str(one["name"]), str(one["tokenize"]), int(one["references"])) for one in record]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(path, 0, "no record of scores", "", _REMEDY) from error
    return [_read(folder, *head) for head in heads]


def _read(folder: Path, name: str, tokenize: str, references: int) -> ScoredText:
    files = _files(name, references)
    source, output, *others = (read_lines(folder / file) for file in files)
    for file, lines in zip(files, (source, output, *others), strict=True):
        if len(lines) != len(source):
            raise InputError(
                folder / file, 0, f"{len(lines):,} lines", f"{len(source):,} as in {files[0]}",
                _REMEDY,
            )  # fmt: skip
    return ScoredText(name, tokenize, source, others, output)


def _files(name: str, references: int) -> list[str]:
    return [
        f"{name}.source",
        f"{name}.output",
        *(f"{name}.reference{number}" for number in range(references)),
    ]
