"""What a piece of work took."""

import sys
import time

import numpy as np
import pytest

from tunesmith.engine.resources import Meter


def test_time_is_measured_from_the_making_on():
    meter = Meter()
    time.sleep(0.05)
    first = meter.used()
    assert first.seconds >= 0.05
    begin = time.process_time()
    while time.process_time() - begin < 0.1:
        sum(range(1000))
    later = meter.used()
    assert later.cpu_seconds - first.cpu_seconds >= 0.08
    assert later.seconds >= first.seconds


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
