"""``moses.ini``: a Moses model made into a model directory, and weights given back."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tunesmith.base.atomic import atomic_directory, atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.log import log
from tunesmith.base.numbers import parse_whole
from tunesmith.base.rundir import run_record, write_record
from tunesmith.base.weights import Weights
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.grammar import PhraseTable
from tunesmith.grammar.extraction import reordering_names
from tunesmith.grammar.moses import (
    export_moses_reordering,
    export_moses_table,
    import_moses_table,
)
from tunesmith.lm import NgramLM
from tunesmith.model.description import write_description
from tunesmith.model.files import WEIGHTS_FILE, new_model
from tunesmith.model.folder import TranslationModel
from tunesmith.model.joined import joined_rules
from tunesmith.model.kinds import check_phrase_model, numbered
from tunesmith.model.search import SearchOptions

# A Moses unknown word costs 100 in natural log; our feature counts -1 a word.
UNKNOWN_COST = 100.0

# Moses' distortion limit, and ours.
_DEFAULT_LIMIT = 6

_DIRECTIONS = {
    "bidirectional": "bidirectional",
    "backward": "backward",
    "forward": "forward",
    "unidirectional": "backward",
}
# Feature functions without a file → our feature.
_PLAIN = {
    "Distortion": "distortion",
    "WordPenalty": "word_penalty",
    "PhrasePenalty": "phrase_penalty",
    "UnknownWordPenalty": "unknown",
}


@dataclass(frozen=True)
class _Feature:
    line: int
    kind: str
    options: dict[str, str]

    def name(self, default: str) -> str:
        """The name of its weights."""
        return self.options.get("name", default)


def import_moses(ini: str | Path, folder: str | Path) -> TranslationModel:
    """Read a phrase-based Moses model: text tables, ARPA or our language models, weights."""
    ini = Path(ini)
    features = list(_features(ini))
    tables = [f for f in features if f.kind.startswith("PhraseDictionary")]
    reorderings = [f for f in features if f.kind == "LexicalReordering"]
    models = [f for f in features if f.kind in {"KENLM", "SRILM", "IRSTLM", "LanguageModelKen"}]
    for feature in features:
        if feature.kind not in _PLAIN and feature not in [*tables, *reorderings, *models]:
            raise InputError(
                ini, feature.line, f"feature function {feature.kind}", "one that Tunesmith has"
            )
    if not tables:
        raise InputError(ini, 0, "no phrase table", "a PhraseDictionary in [feature]")
    if len(reorderings) > 1:
        raise InputError(ini, reorderings[1].line, "a second LexicalReordering", "one at most")
    names = _reordering_names(ini, reorderings[0]) if reorderings else []
    inputs = [ini]
    with new_model(folder) as temporary:
        table_files, model_files = [], []
        for number, feature in enumerate(tables):
            name = f"{numbered('phrases', number)}.bin"
            paths = [_path(ini, feature)]
            if reorderings:
                paths.append(_path(ini, reorderings[0], suffixes=("", ".gz")))
            import_moses_table(
                paths[0],
                temporary / name,
                reordering=paths[1] if reorderings else None,
                scores=_count(ini, feature),
                reordering_names=names,
            )
            if not len(PhraseTable(temporary / name)):
                raise InputError(paths[0], 0, "no rules", "source ||| target ||| scores")
            table_files.append(name)
            inputs += paths
        for number, feature in enumerate(models):
            name = f"{numbered('lm', number)}.bin"
            inputs.append(_path(ini, feature))
            NgramLM.load(inputs[-1]).save(temporary / name)
            model_files.append(name)
        write_description(
            temporary,
            tables=table_files,
            language_models=model_files,
            search={"distortion_limit": _distortion_limit(ini)},
        )
        model = TranslationModel.load(temporary)
        ours = _weights(ini, model, features, tables, reorderings, models)
        write_weights(temporary / WEIGHTS_FILE, ours)
        write_record(temporary, run_record("import", {"ini": str(ini)}, inputs))
    return TranslationModel.load(folder)


def _features(ini: Path) -> Iterator[_Feature]:
    for number, line in _section(ini, "feature"):
        kind, *rest = line.split()
        options = {}
        for word in rest:
            key, equals, value = word.partition("=")
            if not equals:
                raise InputError(ini, number, f"'{word}'", "key=value")
            options[key] = value
        yield _Feature(number, kind, options)


def _section(ini: Path, wanted: str) -> Iterator[tuple[int, str]]:
    section = ""
    for number, line in enumerate(read_lines(ini), 1):
        line = line.partition("#")[0].strip()
        if line.startswith("["):
            section = line.strip("[]")
        elif line and section == wanted:
            yield number, line


def _distortion_limit(ini: Path) -> int:
    for number, line in _section(ini, "distortion-limit"):
        try:
            return SearchOptions.checked({"distortion_limit": parse_whole(line)}).distortion_limit
        except ValueError:
            raise InputError(ini, number, f"'{line}'", "a whole number") from None
        except OptionError as error:
            raise InputError(ini, number, str(error)) from error
    return _DEFAULT_LIMIT


def _count(ini: Path, feature: _Feature) -> int:
    text = feature.options.get("num-features", "4")
    if not re.fullmatch(r"[1-9][0-9]{0,2}", text):
        raise InputError(ini, feature.line, f"num-features={text}", "a number from 1 to 999")
    return int(text)


def _path(ini: Path, feature: _Feature, suffixes: tuple[str, ...] = ("",)) -> Path:
    name = feature.options.get("path")
    if name is None:
        raise InputError(ini, feature.line, f"{feature.kind} without path=", "path=FILE")
    for suffix in suffixes:
        candidate = ini.parent / (name + suffix)
        if candidate.exists():
            return candidate
    raise InputError(ini, feature.line, f"path={name}, which does not exist", "an existing file")


def _reordering_names(ini: Path, feature: _Feature) -> list[str]:
    kind = feature.options.get("type", "")
    parts = kind.split("-")
    classes = next((part for part in parts if part in {"msd", "mslr"}), None)
    direction = next((_DIRECTIONS[part] for part in parts if part in _DIRECTIONS), None)
    if classes is None or direction is None:
        raise InputError(
            ini,
            feature.line,
            f"reordering type '{kind}'",
            "a word-based msd or mslr model, as wbe-msd-bidirectional-fe",
        )
    return reordering_names(direction, classes)


def _weights(
    ini: Path,
    model: TranslationModel,
    features: list[_Feature],
    tables: list[_Feature],
    reorderings: list[_Feature],
    models: list[_Feature],
) -> Weights:
    """Moses' weights under our names; every feature function has its weights and no other."""
    theirs = read_weights(ini, "moses")
    used = {"UnknownWordPenalty0"}

    def values(block: str, count: int) -> list[float]:
        names = [block] if count == 1 else [f"{block}_{i}" for i in range(count)]
        there = [name for name in theirs if re.fullmatch(re.escape(block) + r"(_\d+)?", name)]
        if sorted(there) != sorted(names):
            raise InputError(ini, 0, f"{len(there)} weights for {block}", f"{count}")
        used.update(names)
        return [theirs[name] for name in names]

    ours = dict.fromkeys(_PLAIN.values(), 0.0)
    ours["unknown"] = UNKNOWN_COST * theirs.get("UnknownWordPenalty0", 1.0)
    for number, (feature, table) in enumerate(zip(tables, model.tables, strict=True)):
        scores = table.meta["scores"]
        block = values(feature.name(f"TranslationModel{number}"), len(scores))
        for score, value in zip(scores, block, strict=True):
            ours[f"{numbered('tm', number)}.{score}"] = value
    if reorderings:
        block = values(reorderings[0].name("LexicalReordering0"), len(model.reordering))
        for name, value in zip(model.reordering, block, strict=True):
            ours[f"reorder.{name}"] = value
    for feature in features:
        if feature.kind in _PLAIN and feature.kind != "UnknownWordPenalty":
            ours[_PLAIN[feature.kind]] = values(feature.name(f"{feature.kind}0"), 1)[0]
    for number, feature in enumerate(models):
        ours[numbered("lm", number)] = values(feature.name(f"LM{number}"), 1)[0]
    for name in theirs:
        if name not in used:
            raise InputError(ini, 0, f"a weight for '{name}'", "weights of the [feature]s only")
    return Weights({name: ours[name] for name in model.feature_names})


def export_moses(model: TranslationModel, folder: str | Path) -> None:
    """Write a model as Moses' files: text tables, ARPA language models and ``moses.ini``."""
    check_phrase_model(model, "Moses' files are")
    kept = _word_models(model)
    if len(kept) < len(model.language_models):
        log.warning(
            "a class-based language model stays behind: Moses' files hold n-grams of words only, "
            "so the search of Moses will score otherwise"
        )
    if model.maxent is not None:
        log.warning(
            "the maximum-entropy reordering model stays behind: Moses has none, so the search of "
            "Moses will score otherwise"
        )
    if model.rule_features is not None:
        log.warning(
            "%s sparse features stay behind: Moses' files hold the dense ones only, so the search "
            "of Moses will score otherwise",
            f"{len(model.rule_features):,}",
        )
    with atomic_directory(folder) as temporary:
        features = ["UnknownWordPenalty", "WordPenalty", "PhrasePenalty"]
        # Moses takes each of its tables by itself: joined ones become one with all scores.
        joined = bool(model.join_floors)
        for number, names in enumerate(_table_features(model)):
            name = f"{numbered('phrase-table', number)}.gz"
            rules = joined_rules(model) if joined else model.tables[number]
            export_moses_table(rules, temporary / name)
            features.append(
                f"PhraseDictionaryMemory name=TranslationModel{number} "
                f"num-features={len(names)} path={name} "
                "input-factor=0 output-factor=0"
            )
        if model.reordering:
            export_moses_reordering(model.tables, temporary / "reordering-table.gz")
            features.append(
                f"LexicalReordering name=LexicalReordering0 num-features={len(model.reordering)} "
                f"type={_reordering_type(model)} input-factor=0 output-factor=0 "
                "path=reordering-table.gz"
            )
        features.append("Distortion")
        for number, lm in enumerate(kept.values()):
            name = f"{numbered('lm', number)}.arpa.gz"
            lm.save_arpa(temporary / name)
            features.append(f"KENLM name=LM{number} factor=0 path={name} order={lm.order}")
        write_weights(temporary / "weights.txt", _moses_weights(model), "moses")
        _write_ini(temporary, model, features)


def _table_features(model: TranslationModel) -> list[list[str]]:
    """The features of every table that Moses gets."""
    tables = [
        [f"{numbered('tm', number)}.{score}" for score in table.meta["scores"]]
        for number, table in enumerate(model.tables)
    ]
    return [[name for names in tables for name in names]] if model.join_floors else tables


def _word_models(model: TranslationModel) -> dict[str, NgramLM]:
    """The language models of words, by the names of their features."""
    return {
        numbered("lm", number): lm
        for number, lm in enumerate(model.language_models)
        if not lm.has_classes
    }


def _write_ini(folder: Path, model: TranslationModel, features: list[str]) -> None:
    limit = model.search.get("distortion_limit", _DEFAULT_LIMIT)
    weights = "\n".join(read_lines(folder / "weights.txt"))
    with atomic_text(folder / "moses.ini") as stream:
        stream.write(
            "# Paths are relative to this folder.\n"
            "[input-factors]\n0\n\n[mapping]\n"
            + "".join(f"{number} T {number}\n" for number in range(len(_table_features(model))))
            + f"\n[distortion-limit]\n{limit}\n\n[feature]\n"
            + "".join(f"{feature}\n" for feature in features)
            + f"\n[weight]\n{weights}\n"
        )


def _reordering_type(model: TranslationModel) -> str:
    sides = {name.partition(".")[0] for name in model.reordering}
    direction = (
        "bidirectional" if len(sides) == 2 else "backward" if "previous" in sides else "forward"
    )
    return f"wbe-{model.reordering_classes}-{direction}-fe-allff"


def _moses_weights(model: TranslationModel) -> Weights:
    """Our weights under Moses' names."""
    ours = model.weights
    theirs = {
        "UnknownWordPenalty0": ours.get("unknown", 0.0) / UNKNOWN_COST,
        "WordPenalty0": ours.get("word_penalty", 0.0),
        "PhrasePenalty0": ours.get("phrase_penalty", 0.0),
    }
    for number, names in enumerate(_table_features(model)):
        for i, name in enumerate(names):
            theirs[f"TranslationModel{number}_{i}"] = ours.get(name, 0.0)
    for i, name in enumerate(model.reordering):
        theirs[f"LexicalReordering0_{i}"] = ours.get(f"reorder.{name}", 0.0)
    theirs["Distortion0"] = ours.get("distortion", 0.0)
    for number, name in enumerate(_word_models(model)):
        theirs[f"LM{number}"] = ours.get(name, 0.0)
    return Weights(theirs)
