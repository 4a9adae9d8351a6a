"""The Dask cluster of tests knows its scheduler's address as soon as all of it is written."""

from pathlib import Path
from typing import cast

import psutil

from tests.fakes.dask_cluster import address_in


class Scheduler:
    """Writes the next piece of its file whenever it is asked whether it has ended."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._pieces = ["", '{"id": "a", "addr', 'ess": "tcp://127.0.0.1:20', '123"}']

    def wait(self, timeout: float) -> None:
        with self._place.open("a", encoding="utf-8") as file:
            file.write(self._pieces.pop(0))
        raise psutil.TimeoutExpired(timeout)


def test_half_of_a_schedulers_file_is_not_taken_for_its_address(tmp_path: Path) -> None:
    place = tmp_path / "scheduler.json"
    scheduler = cast("psutil.Process", Scheduler(place))
    assert address_in(place, scheduler) == "tcp://127.0.0.1:20123"
