"""What holds for the tests of several parts together."""

from collections.abc import Iterator

import pytest

from tests.fakes.preloaded import preload_children


@pytest.fixture(autouse=True, scope="module")
def _preloaded_children() -> Iterator[None]:
    """Processes for audits, comparisons, queries and such are copies of one that has imported all.

    Crawl hosts are, where a test asks for it (`crawling.py`).
    """
    with pytest.MonkeyPatch.context() as patch:
        preload_children(patch)
        yield
