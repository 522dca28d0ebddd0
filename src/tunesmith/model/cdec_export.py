"""Hierarchical models as cdec's files: cdec.ini, grammars, ARPA language models, weights."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from tunesmith import _core
from tunesmith.base.atomic import atomic_directory, atomic_text
from tunesmith.base.errors import OptionError
from tunesmith.base.log import log
from tunesmith.base.weights import Weights
from tunesmith.formats.text import iter_lines
from tunesmith.formats.weights import write_weights
from tunesmith.grammar import HieroIndex, ScfgGrammar
from tunesmith.lm import NgramLM
from tunesmith.model.cdec import GRAMMAR_FILE, LATTICE_COST, PASS_THROUGH, cdec_scales
from tunesmith.model.folder import TranslationModel
from tunesmith.model.kinds import numbered
from tunesmith.model.search import SearchOptions


def export_cdec(
    model: TranslationModel,
    folder: str | Path,
    *,
    text: Sequence[str] | None = None,
    single: bool = False,
) -> None:
    """Write a hierarchical model as cdec's files; `import_cdec` reads them again.

    `text` is what is to be translated, in the model's own tokens: the rules of an index are looked
    up for it, and words that no rule translates get one that passes them through. With `single`
    every sentence has a grammar of its own, which ``input.sgm`` names; else there is one. Words
    that look like a grammar's own signs have entities in their place, in all files.
    """
    if text is None and (single or isinstance(model.grammar, HieroIndex)):
        raise OptionError(
            f"{model.folder} has rules for any text, and cdec reads those of a given one: "
            "expected --text FILE"
            if isinstance(model.grammar, HieroIndex)
            else "grammars of single sentences need their text: expected --text FILE"
        )
    kept = [lm for lm in model.language_models if not lm.has_classes]
    if len(kept) < len(model.language_models):
        log.warning(
            "a class-based language model stays behind: cdec's files hold n-grams of words only, "
            "so cdec will score otherwise"
        )
    if model.grammar_templates is not None:
        log.warning(
            "sparse features stay behind: cdec's files hold the dense ones only, so cdec will "
            "score otherwise"
        )
    search = SearchOptions.of_model(model)
    if search.table_limit:
        log.warning(
            "cdec has no --table-limit, and this model has %d: cdec searches with all rules",
            search.table_limit,
        )
    with atomic_directory(folder) as temporary:
        if text is not None:
            with atomic_text(temporary / "input.txt") as stream:
                stream.writelines(f"{_written(line)}\n" for line in text)
        if single and text is not None:
            used = _write_single(model, temporary, text, search)
        else:
            used = _write_grammar(temporary / GRAMMAR_FILE, model, text, search)
        names = [numbered("lm", number) for number in range(len(kept))]
        for name, lm in zip(names, kept, strict=True):
            _write_arpa(lm, temporary / f"{name}.arpa.gz")
        write_weights(temporary / "weights.txt", _cdec_weights(model, used), "cdec")
        with atomic_text(temporary / "cdec.ini") as stream:
            stream.writelines(f"{line}\n" for line in _ini(search, names, single=single))


def _ini(search: SearchOptions, models: Sequence[str], *, single: bool) -> Iterator[str]:
    yield "formalism=scfg"
    if not single:
        yield f"grammar={GRAMMAR_FILE}"
    if search.pass_through == "all":
        yield "add_pass_through_rules=true"
    yield f"scfg_max_span_limit={search.span_limit}"
    yield "intersection_strategy=cube_pruning"
    yield f"cubepruning_pop_limit={search.pop_limit}"
    yield "weights=weights.txt"
    yield "feature_function=WordPenalty"
    for number, name in enumerate(models):
        yield f"feature_function=KLanguageModel -n {_lm_name(number)} {name}.arpa.gz"


def _lm_name(number: int) -> str:
    return numbered("LanguageModel", number)


def _write_single(
    model: TranslationModel, folder: Path, text: Sequence[str], search: SearchOptions
) -> set[str]:
    used: set[str] = set()
    (folder / "grammars").mkdir()
    with atomic_text(folder / "input.sgm") as stream:
        for number, line in enumerate(text):
            name = f"grammars/grammar.{number}.gz"
            used |= _write_grammar(folder / name, model, [line], search)
            stream.write(f'<seg id="{number}" grammar="{name}">{_written(line)}</seg>\n')
    return used


def _write_grammar(
    path: Path, model: TranslationModel, text: Sequence[str] | None, search: SearchOptions
) -> set[str]:
    """Write the rules; which of the model's features any of them has."""
    grammar = model.grammar
    if isinstance(grammar, HieroIndex):
        grammar = grammar.text_rules(text or ()).grammar()
    rules = grammar.native.text().decode()
    with atomic_text(path) as stream:
        stream.write(rules)
        if text is not None and search.pass_through == "unknown":
            for word in _untranslated(grammar, text):
                stream.write(f"[X] ||| {word} ||| {word} ||| {PASS_THROUGH}=1\n")
    return {f"tm.{name}" for name in grammar.features if f" {name}=" in rules}


def _untranslated(grammar: ScfgGrammar, text: Sequence[str]) -> list[str]:
    """The words of a text that are no source side by themselves, in their order."""
    alone = {line.split(" ||| ", 2)[1] for line in grammar.lines()}
    words = dict.fromkeys(word for line in text for word in _written(line).split())
    return [word for word in words if word not in alone]


def _written(line: str) -> str:
    """Words as grammars in text have them."""
    return " ".join(_core.grammar_word(word) for word in line.split(" "))


def _write_arpa(lm: NgramLM, path: Path) -> None:
    """A language model with the same words; hardly any has one that must be written otherwise."""
    lm.save_arpa(path)
    if all(_written(word) == word for word in _unigrams(path)):
        return
    plain = path.rename(path.with_name(f"plain-{path.name}"))
    with atomic_text(path) as stream:
        for line in iter_lines(plain):
            first, *others = line.split("\t")
            stream.write("\t".join([first, *map(_written, others)]) + "\n")
    plain.unlink()


def _unigrams(path: Path) -> Iterator[str]:
    for line in iter_lines(path):
        if line.startswith("\\2-grams:"):
            return
        yield from line.split("\t")[1:2]


def _cdec_weights(model: TranslationModel, used: set[str]) -> Weights:
    """Our weights under cdec's names and on its scale; of rules' features those that are used."""
    kept = iter(range(len(model.language_models)))
    left_behind = "class-based"
    names = [
        f"{left_behind}{number}" if lm.has_classes else _lm_name(next(kept))
        for number, lm in enumerate(model.language_models)
    ]
    arcs = model.search.get("arc_scores") == "logarithms"
    return Weights(
        {
            theirs: model.weights.get(name, 0.0) / scale + 0.0  # no negative zero
            for theirs, (name, scale) in cdec_scales(model, names).items()
            if name in (used if name.startswith("tm.") else model.feature_names)
            and not theirs.startswith(left_behind)
            and (arcs or theirs != LATTICE_COST)
        }
    )
