"""Closes an object at the end of the `with` block that uses it."""

from abc import ABC, abstractmethod
from typing import Self


class ClosedOnExit(ABC):
    """Base class of objects that hold files open: a context manager that closes itself."""

    @abstractmethod
    def close(self) -> None:
        """Release the files."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
