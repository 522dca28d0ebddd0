"""What is in a pool of graphs, for people."""

import math

import numpy as np

from tunesmith.base.graph_pool import GraphPool
from tunesmith.engine import ALL_CORES, EngineLike
from tunesmith.graph.sums import log_sums


def describe_graphs(pool: GraphPool, *, engine: EngineLike = ALL_CORES) -> str:
    """Sizes, arity, number of derivations and the features of a pool, as lines of text."""
    edges, tails = pool.edge_counts(), np.diff(pool.tail_offsets)
    arity = int(tails.max(initial=0))
    kind = "lattices" if arity <= 1 else f"hypergraphs of up to {arity} tails"
    empty = len(pool.empty_sentences())
    lines = [
        f"sentences    {len(pool):,}" + (f" ({empty:,} without a graph)" if empty else ""),
        f"nodes        {pool.nodes:,}",
        f"edges        {pool.edges:,} ({kind}; {_spread(edges)} a sentence)",
    ]
    if len(pool) > empty:
        logs = log_sums(pool, dict.fromkeys(pool.names, 0.0), engine=engine) / math.log(10)
        low, middle, high = np.percentile(logs[np.isfinite(logs)], [0, 50, 100])
        lines.append(
            f"derivations  10^{middle:.1f} in the median sentence (10^{low:.1f} to 10^{high:.1f})"
        )
    lines.append(f"words        {len(pool.vocabulary):,} different ones")
    lines.append(f"features     {len(pool.names):,}")
    counts = np.bincount(pool.feature_ids, minlength=len(pool.names))
    sums = np.bincount(pool.feature_ids, weights=pool.feature_values, minlength=len(pool.names))
    for i in np.argsort(-counts, kind="stable")[:30].tolist():
        mean = sums[i] / counts[i] if counts[i] else 0.0
        lines.append(f"  {pool.names[i]:<32} on {counts[i]:>12,} edges, mean {mean:.4g}")
    if len(pool.names) > 30:
        lines.append(f"  … and {len(pool.names) - 30:,} more")
    return "\n".join(lines)


def _spread(values: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> str:
    if not len(values):
        return "0"
    low, middle, high = np.percentile(values, [0, 50, 100])
    return f"median {middle:,.0f}, {low:,.0f} to {high:,.0f}"
