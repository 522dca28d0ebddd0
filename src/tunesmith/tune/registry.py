"""Tuners by name; a tuner's module is imported when it is asked for."""

import importlib
from typing import Any

from tunesmith.base.errors import OptionError, kind_of
from tunesmith.base.own_code import is_own, load_own
from tunesmith.base.parameters import check_parameters, parameters_of
from tunesmith.tune.base import AnyTuner

# name → module:class. These work on k-best lists, whoever made them …
TUNERS: dict[str, str] = {
    "kb-mert": "tunesmith.tune.kb_mert:KBestMert",
    "kb-mira": "tunesmith.tune.kb_mira:KBestMira",
    "pro": "tunesmith.tune.pro:Pro",
    "ramp": "tunesmith.tune.ramp:Ramp",
    "random": "tunesmith.tune.random_search:RandomSearch",
    "risk": "tunesmith.tune.risk:Risk",
    "svm": "tunesmith.tune.svm:Svm",
    "svm-1-slack": "tunesmith.tune.svm_slack:OneSlack",
    "svm-s-slack": "tunesmith.tune.svm_slack:SSlack",
}

# … and these on the graphs of our own search.
GRAPH_TUNERS: dict[str, str] = {
    "lb-mert": "tunesmith.tune.lb_mert:LatticeMert",
    "lb-mira": "tunesmith.tune.lb_mira:LatticeMira",
    "lb-risk": "tunesmith.tune.lb_risk:LatticeRisk",
    "mira": "tunesmith.tune.mira:OnlineMira",
}

ALIASES: dict[str, str] = {"mert": "kb-mert", "mr": "risk"}


def tuner_class(name: str) -> type[AnyTuner]:
    """The class of a tuner's name or alias, or of a user's own, ``FILE.py:CLASS``."""
    if not isinstance(name, str):
        raise OptionError(f"a tuner is {kind_of(name)}, expected its name")
    if is_own(name):
        return _own_class(name)
    place = (TUNERS | GRAPH_TUNERS).get(ALIASES.get(name, name))
    if place is None:
        known = ", ".join([*TUNERS, *GRAPH_TUNERS, *ALIASES])
        raise OptionError(f"unknown tuner '{name}', expected one of: {known}, or FILE.py:CLASS")
    module, _, attribute = place.partition(":")
    found: type[AnyTuner] = getattr(importlib.import_module(module), attribute)
    return found


def _own_class(name: str) -> type[AnyTuner]:
    found = load_own(name, "tuner")
    if not isinstance(found, type) or not issubclass(found, AnyTuner):
        raise OptionError(f"{name} is no tuner, expected a subclass of tunesmith.tune.Tuner")
    if missing := sorted(found.__abstractmethods__):
        raise OptionError(f"{name} has no method '{missing[0]}', which every tuner has")
    for key, value in (("name", found.__name__), ("title", (found.__doc__ or "").split("\n")[0])):
        if not hasattr(found, key):
            setattr(found, key, value)
    return found


def make_tuner(name: str, *, in_loop: bool = False, **options: Any) -> AnyTuner:
    """A tuner by name with its hyper-parameters, those of a loop where it is for one.

    >>> make_tuner("random", trials=10).name
    'random'
    >>> make_tuner("kb-mira").C, make_tuner("kb-mira", in_loop=True).C
    (0.2, 0.02)
    """
    kind = tuner_class(name)
    if in_loop:
        options = {**kind.loop_settings, **options}
    known = {field.name for field in parameters_of(kind)}
    for key in options:
        if key not in known:
            raise OptionError(
                f"tuner '{name}' has no option '{key}', expected one of: {', '.join(sorted(known))}"
            )
    tuner = kind(**options)
    check_parameters(tuner)
    return tuner
