"""A small model of the phrasebook with sparse features, and texts to tune and test it on."""

from tunesmith.cli.main import main
from tunesmith.corpus import phrasebook
from tunesmith.features import LengthBin, build_features
from tunesmith.model import TranslationModel, write_description

DEV, TEST, TRAIN = 60, 50, 700


def write_phrasebook_model(folder):
    """`folder`/model, and train, dev and test in German (.de) and English (.en)."""
    phrasebook.write(folder, seed=5, dev=DEV, test=TEST, train=TRAIN)
    path = folder / "model"
    assert main(["train", "--quiet", "--src", f"{folder}/train.de", "--tgt", f"{folder}/train.en",
                 "--dev-src", f"{folder}/dev.de", "--dev-ref", f"{folder}/dev.en",
                 "--source-language", "de", "--target-language", "en", "--iterations", "1",
                 "--size", "5", "--order", "3", "--threads", "1",
                 "--out", str(path)]) == 0  # fmt: skip
    build_features(TranslationModel.load(path).tables, [LengthBin()], path / "features.bin")
    write_description(
        path, tables=["phrases.bin"], language_models=["lm.bin"], source="source.json",
        target="target.json", features="features.bin",
        search={"pop_limit": 20, "stack_size": 50},
    )  # fmt: skip
    return path
