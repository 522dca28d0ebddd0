"""N-best lists as plain rows (sentence, text, features), to compare and to make them."""

import numpy as np

from tunesmith.formats.nbest import NbestList, Texts

Row = tuple[int, str, dict[str, float]]


def rows_of(nbest: NbestList) -> list[Row]:
    rows = []
    for row, sentence in enumerate(nbest.sentence_ids()):
        features = dict(zip(nbest.dense_names, nbest.dense[row].tolist(), strict=True))
        for i in range(nbest.sparse_offsets[row], nbest.sparse_offsets[row + 1]):
            features[nbest.sparse_names[nbest.sparse_ids[i]]] = float(nbest.sparse_values[i])
        rows.append((int(sentence), nbest.texts[row], features))
    return rows


def make_nbest(rows: list[Row], dense: list[str], *, totals=None, extras=None) -> NbestList:
    sparse_names = sorted({n for _, _, features in rows for n in features if n not in dense})
    entries = [
        sorted((sparse_names.index(n), v) for n, v in features.items() if n not in dense)
        for _, _, features in rows
    ]
    sentences = [sentence for sentence, _, _ in rows]
    flat = [entry for row in entries for entry in row]
    return NbestList(
        offsets=np.cumsum([0, *np.bincount(sentences)]).astype(np.int64),
        texts=Texts.of([text for _, text, _ in rows]),
        dense=np.array(
            [[features[n] for n in dense] for _, _, features in rows], dtype=np.float32
        ).reshape(len(rows), len(dense)),
        dense_names=tuple(dense),
        sparse_offsets=np.cumsum([0, *map(len, entries)]).astype(np.int64),
        sparse_ids=np.array([i for i, _ in flat], dtype=np.uint32),
        sparse_values=np.array([v for _, v in flat], dtype=np.float32),
        sparse_names=tuple(sparse_names),
        totals=None if totals is None else np.array(totals, dtype=np.float64),
        extras=None if extras is None else Texts.of(extras),
    )
