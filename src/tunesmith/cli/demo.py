"""The whole job in about a minute, with nothing to download: train, tune, translate, explain.

The corpus is a sample of the phrasebook, 30,000 German–English sentence pairs that come with the
program. What is made stays in the folder, so that it can be looked at; a second run keeps what is
done.

Example
-------
  tunesmith demo
  echo "Der kleine Hund schläft ." | tunesmith translate tunesmith-demo/model --explain
  tunesmith demo --write text --pairs 2000       # text/train.de, train.en, train.links, dev.de, …
"""

import argparse
from pathlib import Path

from tunesmith.cli._options import SEED, add_threads, filled_folder, whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    place = parser.add_mutually_exclusive_group()
    place.add_argument(
        "--folder", type=filled_folder, default="tunesmith-demo", help="(default: %(default)s)"
    )
    place.add_argument(
        "--write",
        type=filled_folder,
        metavar="FOLDER",
        help="write only the corpus: train, dev (300 pairs) and test (500), each as .de, .en and "
        ".links, gold word links of its tokens",
    )
    parser.add_argument(
        "--pairs",
        type=whole(at_least=1),
        default=20_000,
        metavar="N",
        help="training pairs, at most 29200 (default: %(default)s)",
    )
    parser.add_argument("--seed", type=SEED, default=1, metavar="N", help="(default: %(default)s)")
    add_threads(parser)


def run(arguments: argparse.Namespace) -> None:
    """Train on the phrasebook and show a translation with its explanation."""
    from tunesmith.decode import open_decoder
    from tunesmith.decode.translate import Translator
    from tunesmith.formats.explanations import explanation_text
    from tunesmith.formats.text import read_lines
    from tunesmith.train.demo import train_demo, write_demo_corpus

    if arguments.write is not None:
        write_demo_corpus(Path(arguments.write), pairs=arguments.pairs, seed=arguments.seed)
        return
    folder = Path(arguments.folder)
    report = train_demo(folder, pairs=arguments.pairs, seed=arguments.seed, engine=arguments.engine)
    print(f"untuned BLEU on new sentences  {report.untuned_score:6.2f}")
    print(f"tuned BLEU on new sentences    {report.test_score:6.2f}  {report.signature}")
    print()
    sources = read_lines(folder / "test.de")
    references = read_lines(folder / "test.en")
    translator = Translator(open_decoder(report.model, engine=arguments.engine))
    blocks = list(translator.stream(sources[:200]))
    chosen, caption = report.example(blocks[0].texts, references)
    print(caption)
    print(explanation_text(blocks[0].explanation(chosen)))
    print(f"  reference: {references[chosen]}")
    print()
    print(f"The model is in {folder / 'model'} ({report.seconds:.0f} s). Go on with:")
    print(f'  echo "{sources[chosen]}" | tunesmith translate {folder / "model"} --explain')
    print(f"  tunesmith inspect {folder / 'model'}")
    print("  tunesmith train --src YOUR.de --tgt YOUR.en --dev-src … --dev-ref … --out model")
