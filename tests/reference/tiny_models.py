"""Random phrase models of a few words, small enough for brute force."""

import numpy as np

from tunesmith.base.weights import Weights
from tunesmith.corpus import Bitext
from tunesmith.formats.weights import write_weights
from tunesmith.grammar import PhraseExtraction
from tunesmith.grammar.extraction import reordering_names
from tunesmith.grammar.moses import import_moses_table
from tunesmith.lm import NgramLM
from tunesmith.model import TranslationModel
from tunesmith.model.description import write_description
from tunesmith.model.files import WEIGHTS_FILE, new_model
from tunesmith.model.kinds import numbered

SOURCE, TARGET = "abcd", "wxyz"


def random_arpa(chance, path, order):
    """A back-off model with arbitrary numbers: scores need not sum to one to be compared."""
    vocabulary = ["<unk>", "<s>", "</s>", *TARGET]
    ngrams = {(word,): (chance.uniform(-3, -0.2), chance.uniform(-1, 0)) for word in vocabulary}
    for n in range(2, order + 1):
        contexts = [g for g in ngrams if len(g) == n - 1 and g[-1] != "</s>"]
        for context in contexts:
            for word in vocabulary[2:]:
                if (*context[1:], word) in ngrams and chance.random() < 0.5:
                    ngrams[(*context, word)] = (chance.uniform(-2, -0.1), chance.uniform(-1, 0))
    lines = ["\\data\\"]
    groups = [[g for g in ngrams if len(g) == n] for n in range(1, order + 1)]
    lines += [f"ngram {n}={len(group)}" for n, group in enumerate(groups, 1)]
    for n, group in enumerate(groups, 1):
        lines += ["", f"\\{n}-grams:"]
        for gram in group:
            log, backoff = ngrams[gram]
            last = n == order or gram[-1] == "</s>"
            if last:
                ngrams[gram] = (log, 0.0)
            lines.append(f"{log!r}\t{' '.join(gram)}" + ("" if last else f"\t{backoff!r}"))
    path.write_text("\n".join([*lines, "", "\\end\\", ""]))
    return ngrams


def random_model(seed, folder, *, keep_unknown_order=False):
    """A small table, language model and weights; also what brute force needs of them."""
    chance = np.random.default_rng(seed)
    folder.mkdir()
    ngrams = random_arpa(chance, folder / "lm.arpa", int(chance.integers(1, 4)))
    phrases, reordering = [], []
    sources = {tuple(chance.choice(list(SOURCE[:3]), n)) for n in (1, 1, 1, 2, 2, 3)}
    for source in sorted(sources):
        targets = {
            tuple(chance.choice(list(TARGET), int(chance.integers(1, 4))))
            for _ in range(int(chance.integers(1, 3)))
        }
        for target in sorted(targets):
            pair = f"{' '.join(source)} ||| {' '.join(target)}"
            phrases.append(f"{pair} ||| {' '.join(map(str, chance.uniform(0.01, 1, 4)))} ||| 0-0")
            reordering.append(f"{pair} ||| {' '.join(map(str, chance.uniform(0.05, 1, 6)))}")
    (folder / "phrases").write_text("\n".join(phrases) + "\n")
    (folder / "reordering").write_text("\n".join(reordering) + "\n")
    names = reordering_names("bidirectional", "msd")
    with new_model(folder / "model") as temporary:
        import_moses_table(
            folder / "phrases",
            temporary / "phrases.bin",
            reordering=folder / "reordering",
            reordering_names=names,
        )
        (temporary / "lm.arpa").write_text((folder / "lm.arpa").read_text())
        write_description(
            temporary,
            tables=["phrases.bin"],
            language_models=["lm.arpa"],
            keep_unknown_order=keep_unknown_order,
        )
        names = TranslationModel.load(temporary).feature_names
        weights = Weights.from_vector(names, chance.normal(size=len(names)))
        write_weights(temporary / WEIGHTS_FILE, weights)
    return TranslationModel.load(folder / "model"), ngrams, chance


def random_links(chance, pairs):
    """Sources and targets of a few words, and their links."""
    sources, targets = [], []
    for _ in range(pairs):
        n, m = chance.integers(1, 5, 2)
        sources.append(" ".join(chance.choice(list("abc"), n)))
        targets.append(" ".join(chance.choice(list("xyz"), m)))
    return sources, targets, some_links(chance, sources, targets)


def joined_model(seed, folder, floor=-6.0):
    """A random model with a second table that shares some pairs with the first, joined."""
    folder.mkdir()
    one, ngrams, chance = random_model(seed, folder / "one")
    other, *_ = random_model(seed + 1, folder / "other")
    shared = [(rule.source, rule.target) for rule in one.tables[0] if chance.random() < 0.6]
    others = [(rule.source, rule.target) for rule in other.tables[0]]
    pairs = sorted({*shared, *others})
    for name, size in (("phrases", 4), ("reordering", 6)):
        (folder / name).write_text(
            "".join(
                f"{source} ||| {target} ||| {' '.join(map(str, chance.uniform(0.05, 1, size)))}\n"
                for source, target in chance.permutation(pairs)
            )
        )
    with new_model(folder / "model") as temporary:
        (temporary / "phrases.bin").write_bytes((one.folder / "phrases.bin").read_bytes())
        (temporary / "lm.arpa").write_text((folder / "one" / "lm.arpa").read_text())
        import_moses_table(
            folder / "phrases",
            temporary / "phrases2.bin",
            reordering=folder / "reordering",
            reordering_names=reordering_names("bidirectional", "msd"),
        )
        write_description(
            temporary,
            tables=["phrases.bin", "phrases2.bin"],
            language_models=["lm.arpa"],
            join_floor=floor,
        )
        names = TranslationModel.load(temporary).feature_names
        weights = Weights.from_vector(names, chance.normal(size=len(names)))
        write_weights(temporary / WEIGHTS_FILE, weights)
    return TranslationModel.load(folder / "model"), ngrams, chance


def some_links(chance, sources, targets):
    """Links of sentences at random."""
    return [
        [
            (i, j)
            for i in range(len(source.split()))
            for j in range(len(target.split()))
            if chance.random() < 0.4
        ]
        for source, target in zip(sources, targets, strict=True)
    ]


def extracted_model(folder, sources, targets, *links, join_floor=None):
    """A model whose tables, one for each set of links, have all phrases of a small corpus."""
    with new_model(folder) as temporary:
        tables = [f"{numbered('phrases', number)}.bin" for number in range(len(links))]
        for name, one in zip(tables, links, strict=True):
            text = Bitext.from_lines(sources, targets)
            PhraseExtraction(limit=0).run(text, one, temporary / name)
        NgramLM.fit(targets, order=2).save(temporary / "lm.bin")
        write_description(
            temporary, tables=tables, language_models=["lm.bin"], join_floor=join_floor
        )
        model = TranslationModel.load(temporary)
        write_weights(temporary / WEIGHTS_FILE, model.initial_weights())
    return TranslationModel.load(folder)
