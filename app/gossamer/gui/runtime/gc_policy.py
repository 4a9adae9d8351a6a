"""Cyclic garbage is looked for on the thread of the window's loop, between its passes.

Python does that in whichever thread happens to allocate. In a reader's thread it would delete
widgets there, and Qt's next timer would fire at one that is no more: the process ends.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collected_by_hand() -> Iterator[None]:
    """Inside, no thread collects anything but by `collect_due`."""
    automatic = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if automatic:
            gc.enable()


def collect_due() -> None:
    """Collect the oldest generation whose threshold is passed, as Python does by itself.

    Costs a tenth of a microsecond while there is nothing to do.
    """
    counts, thresholds = gc.get_count(), gc.get_threshold()
    if counts[0] > thresholds[0]:
        gc.collect(max(i for i in range(3) if counts[i] > thresholds[i]))
