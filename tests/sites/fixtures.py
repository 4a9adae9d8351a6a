"""The pytest plugin of the test sites; loaded by tests/conftest.py."""

from collections.abc import Iterator

import pytest

from tests.sites.site import Site


@pytest.fixture
def site() -> Iterator[Site]:
    """An empty loopback site, listening; every path is 404 until the test says otherwise."""
    with Site() as running:
        yield running
