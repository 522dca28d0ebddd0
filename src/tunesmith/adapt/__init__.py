"""Learning from corrections: a layer of rules and weights on top of a model that stays as it is."""

from tunesmith.adapt.adapted import AdaptedModel, open_layer
from tunesmith.adapt.correction import Correction
from tunesmith.adapt.options import AdaptOptions

__all__ = ["AdaptOptions", "AdaptedModel", "Correction", "open_layer"]
