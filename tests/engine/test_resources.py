"""What a piece of work took."""

import sys
import time

import numpy as np
import pytest

from tunesmith.engine.resources import Meter


def test_time_is_measured_from_the_making_on():
    before = time.perf_counter(), time.process_time()
    meter = Meter()
    begin = time.perf_counter(), time.process_time()
    while time.process_time() - begin[1] < 0.2:
        sum(range(1000))
    end = time.perf_counter(), time.process_time()
    used = meter.used()
    after = time.perf_counter(), time.process_time()
    assert end[0] - begin[0] <= used.seconds <= after[0] - before[0]
    # The system counts hundredths, those of the program and its own apart.
    assert end[1] - begin[1] - 0.05 <= used.cpu_seconds <= after[1] - before[1] + 0.05


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forgets a peak")
def test_memory_is_that_of_this_work():
    meter = Meter()
    block = np.ones(25_000_000)  # 200 MB
    large = meter.used().memory
    assert large > 190e6
    del block
    if Meter().used().memory == large:
        pytest.skip("this system does not let a process forget its peak")
    assert Meter().used().memory < large - 150e6
