"""Features of whole translations by name; a kind's module is imported when it is asked for."""

import importlib
import re

from tunesmith.base.errors import OptionError
from tunesmith.base.parameters import check_parameters, parameters_of, typed_value
from tunesmith.rescore.base import ListFeature

# kind → module:class.
FEATURES: dict[str, str] = {
    "agreement": "tunesmith.rescore.agreement:Agreement",
    "align": "tunesmith.rescore.alignment:Alignment",
    "command": "tunesmith.rescore.user:Command",
    "copy": "tunesmith.rescore.copies:MissingCopies",
    "length": "tunesmith.rescore.length:Length",
    "length-ratio": "tunesmith.rescore.length_ratio:LengthRatio",
    "lm": "tunesmith.rescore.language_model:LanguageModel",
    "mbr": "tunesmith.rescore.mbr:MinimumBayesRisk",
    "python": "tunesmith.rescore.user:Function",
    "rank": "tunesmith.rescore.rank:Rank",
}

# A comma separates two options only where an option follows it: values may have commas.
_NEXT_OPTION = re.compile(r",(?=[a-z_-]+=)")


def feature_class(kind: str) -> type[ListFeature]:
    """The class of a kind."""
    if kind not in FEATURES:
        raise OptionError(f"no feature '{kind}', expected one of: {', '.join(FEATURES)}")
    module, _, attribute = FEATURES[kind].partition(":")
    found: type[ListFeature] = getattr(importlib.import_module(module), attribute)
    return found


def parse_feature(text: str) -> ListFeature:
    """The feature that ``KIND`` or ``KIND:OPTION=VALUE,OPTION=VALUE`` describes.

    >>> parse_feature("mbr:metric=chrf,name=consensus").column_name
    'consensus'
    """
    kind, _, rest = text.partition(":")
    cls = feature_class(kind)
    fields = {field.name: field for field in parameters_of(cls)}
    options = {}
    for part in _NEXT_OPTION.split(rest) if rest else ():
        key, equals, value = part.partition("=")
        name = key.replace("-", "_")
        if not equals:
            raise OptionError(f"'{part}' in '{text}', expected OPTION=VALUE")
        if name not in fields:
            known = ", ".join(fields)
            raise OptionError(f"feature '{kind}' has no option '{key}', expected one of: {known}")
        if name in options:
            raise OptionError(f"'{text}' has {key} twice")
        options[name] = typed_value(f"{kind}:{key}", value, fields[name].default)
    feature = cls(**options)
    try:
        check_parameters(feature)
    except OptionError as error:
        raise OptionError(f"feature '{kind}': {error}") from None
    return feature
