"""Alignment error rate, precision, recall and F of links against gold links.

Both files are in Pharaoh format (`0-0 1-2`, one line per sentence pair, from 0; packed files end
in .gz or .xz); possible links of the gold are written `1p2`. Without any `p` all links are sure.

    tunesmith aer --gold gold.align out.links
    tunesmith aer --gold gold.align --first out.links     # out.links goes on after the gold part

See Och and Ney (2003), A Systematic Comparison of Various Statistical Alignment Models.
"""

import argparse
import json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the verb."""
    parser.add_argument("links", nargs="+", metavar="LINKS", help="links to be judged")
    parser.add_argument("--gold", required=True, metavar="FILE", help="gold links")
    parser.add_argument(
        "--first",
        action="store_true",
        help="the gold is for the first lines of LINKS; ignore those after",
    )
    parser.add_argument("--json", action="store_true", help="print JSON lines instead of a table")


def run(arguments: argparse.Namespace) -> None:
    """Print one row per file."""
    from tunesmith.align import alignment_quality
    from tunesmith.base.errors import InputError
    from tunesmith.formats.pharaoh import read_links

    gold = read_links(arguments.gold)
    rows = []
    for path in arguments.links:
        links = read_links(path)
        if arguments.first and len(links) >= len(gold):
            links = links.select(range(len(gold)))
        if len(links) != len(gold):
            raise InputError(
                path,
                0,
                f"{len(links)} lines",
                f"{len(gold)} as in {arguments.gold}",
                "give --first if the gold covers the first lines only"
                if len(links) > len(gold)
                else "align the same text",
            )
        quality = alignment_quality(links, gold)
        rows.append((path, quality))
    if not arguments.json:
        print("AER     precision  recall  F1      links    sure     file")
    for path, quality in rows:
        if arguments.json:
            row = {
                "file": path,
                "aer": quality.aer,
                "precision": quality.precision,
                "recall": quality.recall,
                "f1": quality.f1,
                "links": quality.links,
                "sure": quality.sure,
            }
            print(json.dumps(row, ensure_ascii=False))
        else:
            print(
                f"{quality.aer:.4f}  {quality.precision:.4f}     {quality.recall:.4f}  "
                f"{quality.f1:.4f}  {quality.links:<7}  {quality.sure:<7}  {path}"
            )
