"""Small parallel texts of the phrasebook, as files."""

from tunesmith.corpus import phrasebook


def write_phrasebook(folder, seed, **sizes):
    """`folder`/NAME.de and .en of so many sentences for every name."""
    pairs = iter(phrasebook.generate(sum(sizes.values()), seed=seed))
    parts = {name: [next(pairs) for _ in range(size)] for name, size in sizes.items()}
    for name, part in parts.items():
        (folder / f"{name}.de").write_text("".join(f"{pair.raw_source}\n" for pair in part))
        (folder / f"{name}.en").write_text("".join(f"{pair.raw_target}\n" for pair in part))
