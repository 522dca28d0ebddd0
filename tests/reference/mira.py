"""Algorithm 1 of Cherry & Foster 2012, word for word: every sum spelled out, every weight kept."""

import numpy as np


def features(pool):
    """[rows, features] all features as one dense matrix."""
    matrix = np.zeros((pool.rows, len(pool.names)))
    matrix[:, : len(pool.dense_names)] = pool.dense
    for row in range(pool.rows):
        for entry in range(pool.sparse_offsets[row], pool.sparse_offsets[row + 1]):
            column = len(pool.dense_names) + pool.sparse_ids[entry]
            matrix[row, column] += pool.sparse_values[entry]
    return matrix


def batch_mira(pool, gain, start, background, orders, *, step_cap, decay, gain_scale):
    """The running average after each pass, and the mean loss of each pass."""
    h = features(pool)
    w = np.array(start)
    background, size = np.array(background), 1.0
    seen, averages, losses = [], [], []
    for order in orders:
        total_loss = 0.0
        for s in order:
            seen.append(w)
            rows = np.arange(pool.offsets[s], pool.offsets[s + 1])
            scores = h[rows] @ w
            gains = np.array(
                [gain_scale * (size + 1) * gain(background + pool.stats[r]) for r in rows]
            )
            hope = int(np.argmax(scores + gains))
            fear = int(np.argmax(scores - gains))
            delta = h[rows[hope]] - h[rows[fear]]
            loss = (gains[hope] - gains[fear]) + (scores[fear] - scores[hope])
            if loss > 0 and delta @ delta > 0:
                w = w + min(step_cap, loss / (delta @ delta)) * delta
            background = decay * background + pool.stats[rows[hope]]
            size = decay * size + 1
            total_loss += max(loss, 0.0)
        averages.append(np.mean(seen, axis=0))
        losses.append(total_loss / len(order))
    return averages, losses
