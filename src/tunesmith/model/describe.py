"""What is in a model directory, as plain values."""

import math
from typing import Any

from tunesmith.base.errors import OptionError
from tunesmith.base.languages import UNDETERMINED, language_name
from tunesmith.base.rundir import read_record
from tunesmith.grammar import HieroIndex
from tunesmith.model.folder import TranslationModel
from tunesmith.model.kinds import numbered

# How many sparse features a person sees.
SPARSE_SHOWN = 10


def describe(model: TranslationModel) -> dict[str, Any]:
    """Tables, language models, weights, preprocessing, origin and file sizes."""
    record = read_record(model.folder) or {}
    source, target = model.preprocessors
    return {
        "folder": str(model.folder),
        "made_by": f"tunesmith {record.get('tunesmith', '?')} {record.get('command', '?')}",
        "languages": list(model.languages),
        "inputs": record.get("inputs", {}),
        "options": record.get("options", {}),
        "tables": [
            {
                "file": table.path.name,
                "source_phrases": table.sources,
                "rules": len(table),
                "options": table.meta.get("options", {}),
            }
            for table in model.tables
        ],
        "grammar": _grammar(model),
        "maxent": _maxent(model),
        "join_floor": model.join_floors[0] if model.join_floors else None,
        "language_models": [
            {"order": lm.order, "ngrams": list(map(int, lm.counts))} for lm in model.language_models
        ],
        "preprocessing": {
            "source": _names(source.to_dict()),
            "target": _names(target.to_dict()),
        },
        "search": model.search,
        "sparse_features": _sparse(model),
        "weights": {name: model.weights.get(name, 0.0) for name in model.feature_names},
        "bytes": {
            path.name: path.stat().st_size
            for path in sorted(model.folder.iterdir())
            if path.is_file()
        },
    }


def _grammar(model: TranslationModel) -> dict[str, Any] | None:
    if model.kind != "hiero":
        return None
    grammar = model.grammar
    if isinstance(grammar, HieroIndex):
        return {"pairs": len(grammar), "options": grammar.meta["options"]}
    return {"rules": len(grammar)}


def _maxent(model: TranslationModel) -> dict[str, Any] | None:
    if model.maxent is None:
        return None
    options = model.maxent.options
    return {
        "features": model.maxent.feature_count,
        "options": {**options.example_options(), "direction": options.direction},
        "training": model.maxent.training,
    }


def _sparse(model: TranslationModel) -> dict[str, Any] | None:
    if not model.has_sparse:
        return None
    weighted = {
        name: value
        for name, value in model.weights.items()
        if name not in model.feature_names and value
    }
    features, templates = model.rule_features, model.grammar_templates
    return {
        "file": model.sparse_files()[0].name,
        "features": None if features is None else len(features),
        "templates": features.meta.get("templates", [])
        if features is not None
        else templates.describe()
        if templates is not None
        else [],
        "weights": dict(sorted(weighted.items(), key=lambda item: -abs(item[1]))),
    }


def _names(preprocessor: dict[str, Any]) -> str:
    return " + ".join(
        str(part.get("name", name)) for name, part in preprocessor.items() if name != "text_rules"
    )


def description_text(description: dict[str, Any]) -> str:
    """The same for a person."""
    languages = description["languages"]
    lines = [f"{description['folder']}  (made by {description['made_by']})"]
    lines.append(f"  {' → '.join(language_name(one or UNDETERMINED) for one in languages)}")
    for path, digest in description["inputs"].items():
        lines.append(f"  from {path}  {digest}")
    lines += [
        f"  {table['file']}: {table['rules']:,} rules of {table['source_phrases']:,} phrases"
        for table in description["tables"]
    ]
    if (grammar := description["grammar"]) is not None:
        lines.append(
            f"  grammar: {grammar['rules']:,} rules"
            if "rules" in grammar
            else f"  grammar: rules are looked up in {grammar['pairs']:,} sentence pairs"
        )
    if (maxent := description["maxent"]) is not None:
        lines.append(f"  maximum-entropy reordering: {maxent['features']:,} features")
    if description["join_floor"] is not None:
        lines.append(
            "  joined tables: a pair is one rule with the scores of all, "
            f"{description['join_floor']:g} where a table lacks it"
        )
    for lm in description["language_models"]:
        ngrams = ", ".join(f"{count:,}" for count in lm["ngrams"])
        lines.append(f"  language model of order {lm['order']}: {ngrams} n-grams")
    for side, names in description["preprocessing"].items():
        lines.append(f"  {side} text: {names}")
    lines.append(f"  {'feature':<34}{'weight':>10}")
    lines += [f"  {name:<34}{value:>10.4f}" for name, value in description["weights"].items()]
    if sparse := description["sparse_features"]:
        names = ", ".join(entry["template"] for entry in sparse["templates"])
        weights = sparse["weights"]
        # Of a grammar's rules only a text tells how many there are.
        count = "" if sparse["features"] is None else f"{sparse['features']:,} "
        lines.append(
            f"  {count}sparse features ({names}), {len(weights):,} with a weight"
            + (", the largest:" if weights else "")
        )
        lines += [
            f"  {name:<34}{value:>10.4f}" for name, value in list(weights.items())[:SPARSE_SHOWN]
        ]
    lines += [f"  {name:<34}{size:>14,} bytes" for name, size in description["bytes"].items()]
    return "\n".join(lines)


def describe_phrase(model: TranslationModel, phrase: str) -> list[dict[str, Any]]:
    """The rules of a source phrase in all tables, most probable first.

    In joined tables a pair is one row: its scores in the first table, and those in the others as
    ``tm2.p_e_given_f`` and so on. Everything else is that of the first table that has the pair.
    """
    if model.kind == "hiero":
        return _grammar_rows(model, phrase.split())
    joined = bool(model.join_floors)
    rows: dict[tuple[int, str], dict[str, Any]] = {}
    for number, table in enumerate(model.tables):
        names = table.meta["scores"]
        begin, end = table.native.find(phrase.split())
        for index in range(begin, end):
            rule = table.rule(index, phrase)
            key = (0 if joined else number, rule.target)
            if key not in rows:
                row = {"table": number, "target": rule.target, "count": rule.counts[2]}
                rows[key] = row | (_floors(model) if joined else {})
                if model.rule_features is not None:
                    rows[key]["features"] = model.rule_features.of_rule(table, index)
            prefix = f"{numbered('tm', number)}." if joined and number else ""
            values = zip(names, rule.scores, strict=True)
            rows[key] |= {prefix + name: math.exp(value) for name, value in values}
    return sorted(rows.values(), key=lambda row: -row.get("p_e_given_f", 0.0))


def _grammar_rows(model: TranslationModel, words: list[str]) -> list[dict[str, Any]]:
    """The rules of an index whose source side is these words and nothing else."""
    if not isinstance(model.grammar, HieroIndex):
        raise OptionError(
            f"{model.folder} has its rules in a text file, expected to be asked for those of "
            "phrases or of indexed text; look for them in the file"
        )
    rules = model.grammar.rules(words)
    templates = model.grammar_templates
    features = None if templates is None else templates.of_rules(rules.grammar())
    rows = [
        {
            "target": " ".join(map(str, rule.target)),
            "count": math.exp(rule.features.get("count_ef", 0.0)),
            **{
                name: math.exp(value)
                for name, value in rule.features.items()
                if "_given_" in name and not name.startswith("coherent")
            },
            **({} if features is None else {"features": features(number)}),
        }
        for number, rule in enumerate(rules)
        if list(rule.source) == words
    ]
    return sorted(rows, key=lambda row: -row.get("p_e_given_f", 0.0))


def _floors(model: TranslationModel) -> dict[str, float]:
    """What a row of joined tables has where a table lacks the pair."""
    names = [
        f"{numbered('tm', number)}.{score}" if number else score
        for number, table in enumerate(model.tables)
        for score in table.meta["scores"]
    ]
    return dict(zip(names, map(math.exp, model.join_floors), strict=True))
