"""What holds for the tests of several parts together."""

from collections.abc import Iterator

import pytest

from tests.fakes.preloaded import preload_children
from tests.integration.shared_renderer import SharedRenderer


@pytest.fixture(autouse=True, scope="module")
def _preloaded_children() -> Iterator[None]:
    """Processes for audits, comparisons, queries and such are copies of one that has imported all.

    Crawl hosts are, where a test asks for it (`crawling.py`).
    """
    with pytest.MonkeyPatch.context() as patch:
        preload_children(patch)
        yield


@pytest.fixture(scope="module")
def renderer() -> Iterator[SharedRenderer]:
    """Renders pages; its browser ends with the module."""
    with SharedRenderer() as shared:
        yield shared
