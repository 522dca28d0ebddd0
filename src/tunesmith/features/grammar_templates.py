"""`GrammarTemplates`: which sparse features the rules of a hierarchical model have.

A model directory holds their description in a JSON file, and beside it what they need: the Python
files of a user's own templates, which are run when rules are looked up, and the word classes of
WordEdges.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any

from tunesmith import _core
from tunesmith.base.array_file import contents_of, json_object
from tunesmith.base.atomic import atomic_path, atomic_text
from tunesmith.base.errors import InputError, OptionError
from tunesmith.base.vocabulary import Vocabulary
from tunesmith.features.lexical import LexicalModel
from tunesmith.features.scfg_templates import OF_RULES, GrammarTemplate, RuleEdges
from tunesmith.features.templates import TEMPLATES
from tunesmith.features.user import GivenRows, RuleText, UserTemplate, load_template, rows_of
from tunesmith.grammar import ScfgGrammar

EDGES_FILE = "edges.bin"


class GrammarTemplates:
    """Templates for the rules of a grammar; their features are known by name alone."""

    def __init__(self, templates: Iterable[GrammarTemplate | UserTemplate]) -> None:
        self.templates = tuple(templates)
        self.names = tuple(one.name for one in self.templates)
        for name in self.names:
            if self.names.count(name) > 1:
                raise OptionError(f"template '{name}' twice")

    @cached_property
    def native(self) -> list[_core.ScfgTemplate]:
        """Ours, as the core has them."""
        return [one.scfg() for one in self.templates if isinstance(one, GrammarTemplate)]

    @property
    def of_users(self) -> list[UserTemplate]:
        """Those that users wrote."""
        return [one for one in self.templates if isinstance(one, UserTemplate)]

    def makes(self, name: str) -> bool:
        """Whether a feature of this name may come from one of the templates."""
        template, colon, _ = name.partition(":")
        return bool(colon) and template in self.names

    def features(self, grammar: ScfgGrammar) -> _core.GrammarFeatures:
        """The features of a grammar's rules; users' templates are run on all of them now."""
        names = Vocabulary()
        ends, ids, values = self._given(grammar, names)
        return _core.GrammarFeatures(self.native, grammar.native, ends, ids, values, names.native)

    def _given(self, grammar: ScfgGrammar, names: Vocabulary) -> GivenRows:
        users = self.of_users
        reader = _core.ScfgRuleReader(grammar.native)
        rules = (_rule_text(reader.rule(i)) for i in range(len(grammar) if users else 0))
        return rows_of(users, rules, names.add)

    def of_rules(self, grammar: ScfgGrammar) -> Callable[[int], dict[str, float]]:
        """The features of the rules of a grammar: of rule i by name.

        >>> from tunesmith.features import RuleShape, SourceNgrams
        >>> from pathlib import Path; from tempfile import mkdtemp
        >>> path = Path(mkdtemp()) / "grammar"
        >>> _ = path.write_text("[X] ||| das [X,1] ||| the [X,1] |||")
        >>> GrammarTemplates([RuleShape(), SourceNgrams()]).of_rules(ScfgGrammar.read(path))(0)
        {'src_ngram:das_<X>': 1.0, 'shape:w_<1>|w_<1>': 1.0}
        """
        features = self.features(grammar)

        def of_rule(rule: int) -> dict[str, float]:
            total: dict[str, float] = {}
            for name, value in features.of_rule(rule):
                total[name] = total.get(name, 0.0) + value
            return {name: value for name, value in total.items() if value}

        return of_rule

    def describe(self) -> list[dict[str, Any]]:
        """Names and parameters, as plain values."""
        return [_described(one) for one in self.templates]

    def save(self, path: str | Path) -> None:
        """Write the description to `path`, and the files that it names beside it."""
        path = Path(path)
        files = list(dict.fromkeys(Path(one.path) for one in self.of_users))
        for file in files:
            if any(other.name == file.name and other != file for other in files):
                raise OptionError(f"templates of two files that are called {file.name}")
            content = file.read_bytes()
            with atomic_path(path.parent / file.name) as temporary:
                temporary.write_bytes(content)
        for one in self.templates:
            if isinstance(one, RuleEdges):
                one.lexical.save(path.parent / EDGES_FILE)
        with atomic_text(path) as stream:
            json.dump({"templates": self.describe()}, stream, indent=1, ensure_ascii=False)
            stream.write("\n")

    @classmethod
    def load(cls, path: str | Path) -> "GrammarTemplates":
        """Read what `save` wrote."""
        path = Path(path)
        try:
            content = path.read_bytes()
        except OSError as error:
            expected = "the templates of the model's sparse features"
            raise InputError(path, 0, "cannot be read", expected) from error
        with contents_of(path, "templates of sparse features"):
            entries = json_object(content)["templates"]
            if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
                raise ValueError("no list of templates")
            return cls(_template(dict(one), path.parent) for one in entries)

    def files(self) -> list[str]:
        """The names of the files beside the description that belong to it."""
        return list(dict.fromkeys(one["file"] for one in self.describe() if "file" in one))


def _rule_text(read: tuple[Any, ...]) -> RuleText:
    source, target, links, of_source, together = read
    # How often the target side was seen is not known.
    return tuple(source), tuple(target), tuple(links), (0.0, of_source, together)


def _described(one: GrammarTemplate | UserTemplate) -> dict[str, Any]:
    if isinstance(one, UserTemplate):
        return one.describe()
    if isinstance(one, RuleEdges):
        return {"template": one.name, "file": EDGES_FILE}
    values = {item.name: getattr(one, item.name) for item in fields(one)}  # type: ignore[arg-type]
    plain = {
        name: [str(x) if isinstance(x, float) else x for x in value]
        if isinstance(value, tuple)
        else value
        for name, value in values.items()
        if value is not None
    }
    return {"template": one.name, **plain}


def _template(values: dict[str, Any], folder: Path) -> GrammarTemplate | UserTemplate:
    name = values.pop("template")
    if name == RuleEdges.name:
        return RuleEdges(LexicalModel.load(_beside(values, folder)))
    kinds: dict[str, type[Any]] = {**OF_RULES, **TEMPLATES}
    if name not in kinds:
        return load_template(f"{_beside(values, folder)}:{name}")
    read = {
        key: tuple(float(x) if key == "bounds" else x for x in value)
        if isinstance(value, list)
        else value
        for key, value in values.items()
    }
    made: GrammarTemplate = kinds[name](**read)
    made.scfg()  # checked now, where the file is known
    return made


def _beside(values: dict[str, Any], folder: Path) -> Path:
    file = values["file"]
    if not isinstance(file, str) or Path(file).name != file:
        raise ValueError(f"file {file!r}, expected a name without a folder")
    return folder / file
