"""cdec's models: an ini file, grammars and weights, made into a model directory."""

import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.numbers import parse_whole
from tunesmith.base.rundir import run_record, write_record
from tunesmith.base.weights import Weights
from tunesmith.formats.text import read_lines
from tunesmith.formats.weights import read_weights, write_weights
from tunesmith.grammar import ScfgGrammar
from tunesmith.lm import NgramLM
from tunesmith.model.description import write_description
from tunesmith.model.files import WEIGHTS_FILE, new_model
from tunesmith.model.folder import TranslationModel
from tunesmith.model.kinds import numbered
from tunesmith.model.search import SearchOptions

GRAMMAR_FILE = "grammar.gz"
LN10 = math.log(10)
#: What cdec calls the first score of a lattice's arcs, which it takes as it is.
LATTICE_COST = "LatticeCost"
#: 1 in a rule that copies a word; cdec makes these itself, or has them in a grammar.
PASS_THROUGH = "PassThrough"
#: What is set in cdec by other means, or is how ours works anyway.
_PASSED_OVER = {"intersection_strategy", "weights", "input", "k_best", "unique_k_best"}
_LIMITS = {"scfg_max_span_limit": "span_limit", "cubepruning_pop_limit": "pop_limit"}


class _Setting(NamedTuple):
    line: int
    key: str
    value: str


class _LanguageModel(NamedTuple):
    path: Path
    name: str


def is_cdec_ini(path: str | Path) -> bool:
    """Whether a file is cdec's ini file; else it may be Moses'."""
    return any(line.replace(" ", "").startswith("formalism=") for line in read_lines(path))


def import_cdec(
    ini: str | Path,
    folder: str | Path,
    *,
    weights: str | Path | None = None,
    grammars: Sequence[str | Path] = (),
) -> TranslationModel:
    """Make a model directory of a hierarchical model of cdec.

    `weights` and `grammars` go before those that the ini file names. Several grammars, such as
    those of single sentences, become one: of equal rules the first counts. Rules keep their
    features (``tm.NAME``); cdec's own are given our scale: ``WordPenalty`` is −1 a word,
    ``LanguageModel`` a natural logarithm, ``PassThrough`` and ``…_OOV`` are −1 each;
    ``LatticeCost`` is ``arc``.
    """
    ini = Path(ini)
    settings = list(_settings(ini))
    search = _search(ini, settings)
    models = [_language_model(ini, one) for one in settings if _is_language_model(ini, one)]
    named = [ini.parent / one.value for one in settings if one.key == "grammar"]
    files = [Path(path) for path in grammars] or named
    if not files:
        raise InputError(ini, 0, "no grammar", "grammar=FILE, or grammars given beside it")
    weight_file = Path(weights) if weights is not None else _weight_file(ini, settings)
    with new_model(folder) as temporary:
        grammar = _read_grammar(files)
        grammar.write(temporary / GRAMMAR_FILE)
        names = []
        for number, one in enumerate(models):
            names.append(f"{numbered('lm', number)}.bin")
            NgramLM.load(one.path).save(temporary / names[-1])
        theirs = read_weights(weight_file)
        arcs = int(LATTICE_COST in theirs)
        write_description(
            temporary,
            grammar=GRAMMAR_FILE,
            language_models=names,
            search=search | ({"arc_scores": "logarithms"} if arcs else {}),
            arc_features=arcs,
        )
        model = TranslationModel.load(temporary)
        ours = _weights(theirs, weight_file, model, models)
        write_weights(temporary / WEIGHTS_FILE, ours)
        inputs = [ini, weight_file, *files, *(one.path for one in models)]
        write_record(temporary, run_record("import", {"ini": str(ini)}, inputs))
    return TranslationModel.load(folder)


def _settings(ini: Path) -> Iterator[_Setting]:
    for number, line in enumerate(read_lines(ini), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        key, equals, value = line.partition("=")
        if not equals:
            raise InputError(ini, number, f"'{line}'", "key=value")
        yield _Setting(number, key.strip(), value.strip())


def _search(ini: Path, settings: list[_Setting]) -> dict[str, object]:
    search: dict[str, object] = {"table_limit": 0, "pass_through": "unknown"}
    for one in settings:
        if one.key == "formalism":
            if one.value != "scfg":
                raise InputError(ini, one.line, f"formalism={one.value}", "formalism=scfg")
        elif one.key == "add_pass_through_rules":
            search["pass_through"] = "all" if one.value.lower() in ("true", "1") else "unknown"
        elif one.key in _LIMITS:
            try:
                search[_LIMITS[one.key]] = parse_whole(one.value)
                SearchOptions.checked(search)
            except (ValueError, OptionError):
                raise InputError(
                    ini, one.line, f"{one.key}={one.value}", "a number above 0"
                ) from None
        elif one.key not in {"grammar", "feature_function", *_PASSED_OVER}:
            raise InputError(
                ini,
                one.line,
                f"setting '{one.key}'",
                ", ".join(sorted({"grammar", "feature_function", *_LIMITS})),
            )
    return search


def _is_language_model(ini: Path, one: _Setting) -> bool:
    if one.key != "feature_function":
        return False
    kind = one.value.split()[0] if one.value else ""
    if kind not in ("KLanguageModel", "WordPenalty"):
        raise InputError(
            ini, one.line, f"feature function '{kind}'", "KLanguageModel or WordPenalty"
        )
    return kind == "KLanguageModel"


def _language_model(ini: Path, one: _Setting) -> _LanguageModel:
    found = re.fullmatch(r"KLanguageModel(?:\s+-n\s+(\S+))?\s+(\S+)", one.value)
    if found is None:
        raise InputError(ini, one.line, f"'{one.value}'", "KLanguageModel [-n NAME] FILE")
    path = ini.parent / found[2]
    if not path.exists():
        raise InputError(ini, one.line, f"{found[2]}, which does not exist", "an existing file")
    return _LanguageModel(path, found[1] or "LanguageModel")


def _weight_file(ini: Path, settings: list[_Setting]) -> Path:
    for one in settings:
        if one.key == "weights":
            return ini.parent / one.value
    raise InputError(ini, 0, "no weights", "weights=FILE, or weights given beside it")


def cdec_scales(
    model: TranslationModel, language_models: Sequence[str]
) -> dict[str, tuple[str, float]]:
    """By cdec's names: ours, and what cdec's weight is multiplied with to be ours.

    `language_models` are what cdec calls ``lm``, ``lm2``, …
    """
    scales = {
        name.removeprefix("tm."): (name, 1.0) for name in model.feature_names if name[:3] == "tm."
    }
    scales |= {
        "Glue": ("glue", 1.0),
        LATTICE_COST: ("arc", 1.0),
        PASS_THROUGH: ("unknown", -1.0),
        "WordPenalty": ("word_penalty", 1 / LN10),
    }
    for number, theirs in enumerate(language_models):
        name = numbered("lm", number)
        scales[theirs] = (name, 1 / LN10)
        scales[f"{theirs}_OOV"] = (f"{name}_unknown", -1.0)
    return scales


def _read_grammar(files: Sequence[Path]) -> ScfgGrammar:
    """The rules of all files, each once, without those that only pass a word through."""
    grammar = ScfgGrammar.read(*files)
    if PASS_THROUGH not in grammar.features:
        return grammar.distinct()
    return ScfgGrammar.from_lines(
        line for line in grammar.lines() if line.split("|||")[3].strip() != f"{PASS_THROUGH}=1"
    ).distinct()


def _weights(
    theirs: Weights, path: Path, model: TranslationModel, models: list[_LanguageModel]
) -> Weights:
    """Cdec's weights under our names and on our scale; every one must be a feature of ours."""
    scales = cdec_scales(model, [one.name for one in models])
    ours = dict.fromkeys(model.feature_names, 0.0)
    for name, value in theirs.items():
        if name not in scales:
            raise InputError(
                path, 0, f"a weight for '{name}'", "features of the grammar or of cdec.ini only"
            )
        our_name, scale = scales[name]
        ours[our_name] = value * scale
    return Weights(ours)
