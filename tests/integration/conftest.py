"""What holds for the tests of several parts together."""

from collections.abc import Iterator
from typing import Final

import pytest

from tests.fakes.preloaded import preloaded_child

_LAUNCHING: Final = (
    "session.child_task",
    "session.demo_process",
    "session.page_inspection",
    "sql_console.query_process",
)
"""Modules that start a process for what they do. Starting Python and importing takes 0.35 s."""


@pytest.fixture(autouse=True, scope="module")
def _preloaded_children() -> Iterator[None]:
    """Processes for audits, comparisons, queries and such are copies of one that has imported all.

    Crawl hosts are, where a test asks for it (`crawling.py`).
    """
    with pytest.MonkeyPatch.context() as patch:
        for name in _LAUNCHING:
            patch.setattr(f"gossamer.{name}.launch", preloaded_child)
        yield
