"""`AdaptOptions`: how much a correction changes."""

from dataclasses import dataclass

from tunesmith.adapt.update import UPDATES
from tunesmith.base.parameters import parameter


@dataclass(frozen=True)
class AdaptOptions:
    """What is learned from a correction; a layer keeps the options that it was made with.

    Rates and first weights are multiples of what a natural logarithm of the language models weighs,
    so that they mean the same for any model.
    """

    update: str = parameter(
        "mira",
        "how weights move: mira, hope and fear; expected, the gradient of expected BLEU; "
        "violation, from the model's choice to the correction; none, only rules are learned",
        choices=UPDATES,
    )
    rate: float = parameter(0.003, "how far a correction moves the weights at most", at_least=0)
    layer_rate: float = parameter(10.0, "the same of the layer's own features, times", at_least=0)
    size: int = parameter(100, "translations that an update looks at", at_least=2, at_most=1000)
    pair: float = parameter(0.0, "first weight of a rule of the layer")
    new: float = parameter(-1.0, "… more for a pair that the model does not have")
    words: float = parameter(0.0, "… for each of its source words")
    share: float = parameter(0.3, "… times ln of its part of the phrase's translations")
    times: float = parameter(0.1, "… times ln of how often it was seen")
    whole: float = parameter(100.0, "… more for a corrected sentence as a whole")
