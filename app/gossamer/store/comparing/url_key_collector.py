"""Collects the keys of a project's URLs, by which those of two projects are matched."""

from collections.abc import Sequence

import numpy as np

from gossamer.store.auditing.number_arrays import Ids, Numbers


class UrlKeyCollector:
    """Keys of URLs and their ids, as they are read: arrays in the end."""

    def __init__(self) -> None:
        self._keys: list[Ids] = []
        self._ids: list[Numbers] = []

    def add(self, keys: Sequence[int], ids: Sequence[int]) -> None:
        """Take some more of either."""
        self._keys.append(np.array(keys, np.int64))
        self._ids.append(np.array(ids, np.int32))

    def joined(self) -> tuple[Ids, Numbers]:
        """All there are, side by side; the parts are let go."""
        if not self._keys:
            return np.zeros(0, np.int64), np.zeros(0, np.int32)
        keys, ids = np.concatenate(self._keys), np.concatenate(self._ids)
        self._keys, self._ids = [], []
        return keys, ids
