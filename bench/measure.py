"""CPU seconds, wall seconds and memory of a command, for the benchmarks.

The command is started by a small process of its own: the largest resident set that the system
reports of a process includes that of the process that started it.
"""

import json
import os
import resource
import subprocess
import sys
import time


def measured(command, messages=os.devnull, **options):
    """Runs a command, what it prints written to a file; returns (CPU seconds, wall seconds, MB)."""
    arguments = [sys.executable, __file__, str(messages), *map(str, command)]
    done = subprocess.run(arguments, stdout=subprocess.PIPE, check=False, **options)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command[:4]))} … failed with {done.returncode}")
    cost = json.loads(done.stdout)
    return cost["cpu"], cost["wall"], cost["megabytes"]


def timed(command, **options):
    """Runs a command; returns (wall seconds, CPU seconds). Its memory is not looked at."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    subprocess.run(list(map(str, command)), check=True, stdout=subprocess.DEVNULL, **options)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def timed_verb(*words):
    """The same of a verb of tunesmith."""
    return timed([sys.executable, "-m", "tunesmith.cli.main", *words])


def main():
    start = time.perf_counter()
    with open(sys.argv[1], "w") as messages:
        command = sys.argv[2:]
        code = subprocess.run(command, stdout=messages, stderr=messages, check=False).returncode
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    cost = {
        "cpu": usage.ru_utime + usage.ru_stime,
        "wall": time.perf_counter() - start,
        "megabytes": usage.ru_maxrss / 1024,
    }
    print(json.dumps(cost))
    return code


if __name__ == "__main__":
    sys.exit(main())
