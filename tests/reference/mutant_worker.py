"""A process that uses mutants of files one after the other, so that a crash is seen from outside.

    python -m reference.mutant_worker FOLDER KIND SEED [SEED …]

Prints a line before and after each mutant. A mutant must work, or raise our `InputError` that
names the file; one that takes too long ends the process.
"""

import logging
import os
import resource
import signal
import sys
import traceback
from pathlib import Path

import numpy as np

from reference.file_users import KINDS
from reference.mutants import mutated
from reference.standstill import DEADLINE
from tunesmith.base.array_file import read_arrays, write_arrays
from tunesmith.base.errors import TunesmithError

MEMORY = 6 << 30


def main(folder, name, seeds):
    logging.disable(logging.CRITICAL)
    if "ASAN_OPTIONS" not in os.environ:  # whose shadow takes terabytes of addresses
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    kind = KINDS[name]
    path = kind.make(Path(folder))
    kind.use(path)
    good = {
        key: np.array(array) for key, array in read_arrays(path, kind.kind, kind.version).items()
    }
    for seed in map(int, seeds):
        chance = np.random.default_rng([seed, *name.encode()])
        what, arrays = mutated(good, chance)
        print("begin", seed, what, sep="\t", flush=True)
        path.unlink()
        write_arrays(path, kind.kind, kind.version, arrays)
        signal.alarm(int(DEADLINE))
        print(*verdict(kind, path), sep="\t", flush=True)
        signal.alarm(0)


def verdict(kind, path):
    try:
        kind.use(path)
    except TunesmithError as error:
        # Of two files of a model that do not fit each other, either may be named.
        if "\n" in str(error):
            return "failed", f"more than one line: {error!r}"
        if str(path.parent) in str(error) or path.name in str(error):
            return "refused", str(error)
        return "failed", f"no file is named: {error}"
    except BaseException:
        return "failed", traceback.format_exc().replace("\n", " | ").replace("\t", " ")
    return "worked", ""


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
