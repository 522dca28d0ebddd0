"""Binary files with wrong contents and right checksums: changes of arrays by chance."""

import json

import numpy as np

EXTREMES = (0, 1, -1, 2, 7, 255, 2**15, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**63 - 1, 2**64 - 1)
FLOATS = (0.0, -0.0, 1.0, -1.0, 1e-45, 1e30, -1e38, np.inf, -np.inf, np.nan)
VALUES = (None, True, -1, 0, 10**30, 1e308, float("nan"), "x", "", [], {}, [1], {"x": 1})


def mutated(arrays, chance):
    """Some arrays of a file changed; what was done, and the arrays."""
    arrays = {name: np.array(array) for name, array in arrays.items()}
    done = []
    for _ in range(int(chance.choice([1, 1, 1, 2, 3]))):
        name = str(chance.choice(sorted(arrays)))
        if arrays[name].dtype == np.uint8 and chance.random() < 0.5:
            changed = changed_json(arrays[name], chance)
            if changed is not None:
                arrays[name] = changed
                done.append(f"{name}: another value in the JSON")
                continue
        change = chance.choice(CHANGES, p=SHARES)
        if change is drop:
            del arrays[name]
        elif change is exchange:
            other = str(chance.choice(sorted(arrays)))
            arrays[name], arrays[other] = arrays[other], arrays[name]
        else:
            arrays[name] = change(arrays[name], chance)
        done.append(f"{name}: {change.__name__}")
        if not arrays:
            break
    return ", ".join(done), arrays


def numbers(array):
    """A flat view of an array to change; structures are taken for numbers of 32 bits."""
    flat = array.reshape(-1)
    if flat.dtype.kind != "V":
        return flat
    return flat.view(np.uint32 if flat.dtype.itemsize % 4 == 0 else np.uint8)


def extreme(dtype, chance):
    """A value that a type can hold, seldom a good one."""
    if dtype.kind == "f":
        return chance.choice(FLOATS)
    value = EXTREMES[chance.integers(len(EXTREMES))]
    return np.array(value % 2 ** (8 * dtype.itemsize), np.uint64).astype(dtype)


def one_value(array, chance):
    flat = numbers(array)
    if len(flat):
        flat[chance.integers(len(flat))] = extreme(flat.dtype, chance)
    return array


def a_little(array, chance):
    """A value that is one more or one less."""
    flat = numbers(array)
    if len(flat):
        place = chance.integers(len(flat))
        with np.errstate(over="ignore"):
            flat[place : place + 1] += np.array(chance.choice([-1, 1])).astype(flat.dtype)
    return array


def a_run(array, chance):
    flat = numbers(array)
    begin, end = sorted(chance.integers(0, len(flat) + 1, 2))
    flat[begin:end] = extreme(flat.dtype, chance)
    return array


def swap(array, chance):
    flat = numbers(array)
    if len(flat) > 1:
        a, b = chance.integers(0, len(flat), 2)
        flat[[a, b]] = flat[[b, a]]
    return array


def shuffle(array, chance):
    chance.shuffle(numbers(array))
    return array


def shorter(array, chance):
    return array[: chance.integers(0, len(array) + 1)]


def longer(array, chance):
    return np.concatenate([array, array[: chance.integers(1, 5)]])


def another_type(array, chance):
    if array.dtype.kind == "V":
        return array.reshape(-1).view(np.uint8)
    types = (np.uint8, np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64)
    with np.errstate(all="ignore"):
        return array.astype(types[chance.integers(len(types))])


def another_shape(array, chance):
    return array.reshape(-1) if array.ndim > 1 else array.reshape(-1, 1)


def some_bits(array, chance):
    """A byte as chance has it."""
    flat = array.reshape(-1).view(np.uint8)
    if len(flat):
        flat[chance.integers(len(flat))] = chance.integers(256)
    return array


def drop(array, chance):
    """The array is not there."""


def exchange(array, chance):
    """Two arrays change places."""


CHANGES = (
    one_value, a_little, a_run, swap, shuffle, shorter, longer,
    another_type, another_shape, some_bits, drop, exchange,
)  # fmt: skip
SHARES = (0.3, 0.1, 0.14, 0.08, 0.04, 0.08, 0.05, 0.04, 0.02, 0.1, 0.03, 0.02)


def changed_json(array, chance):
    """Text that is JSON with one value gone or another in its place; None if it is no JSON."""
    try:
        tree = json.loads(array.tobytes())
    except ValueError:
        return None
    places = []

    def walk(node):
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            places.append((node, key))
            if isinstance(value, dict | list):
                walk(value)

    if isinstance(tree, dict | list):
        walk(tree)
    if places:
        node, key = places[chance.integers(len(places))]
        if chance.random() < 0.2:
            del node[key]
        else:
            node[key] = VALUES[chance.integers(len(VALUES))]
    else:
        tree = VALUES[chance.integers(len(VALUES))]
    return np.frombuffer(json.dumps(tree).encode(), np.uint8).copy()
