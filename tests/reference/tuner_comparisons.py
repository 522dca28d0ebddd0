"""Comparisons of tuners on the phrasebook's small model."""

from tunesmith.evaluate.run_setting import Setting, TextSet
from tunesmith.evaluate.tuner_comparison import TunerComparison

LOOP = {"iterations": 2, "size": 10}


def texts(folder, name, file=""):
    place = folder / (file or name)
    return TextSet(name, f"{place}.de", (f"{place}.en",))


def setting(folder, **changed):
    values = {
        "model": str(folder / "model"),
        "dev": texts(folder, "dev"),
        "tests": [texts(folder, "test")],
        "search": {"pop_limit": 10},
        "loop": LOOP,
    }
    return Setting(**{**values, **changed})


def comparison(folder, out, tuners=("kb-mert", "kb-mira"), **options):
    given = {"replicates": 2, "jobs": 1, "engine": 1, "randomisation_trials": 200,
             "bootstrap_samples": 100, **options}  # fmt: skip
    return TunerComparison(setting(folder), out, tuners, **given)
