"""The pytest plugin of the test sites; loaded by tests/conftest.py."""

import os
from collections.abc import Iterator

import pytest

from tests.sites import documentation
from tests.sites.documentation import (
    Documentation,
    NotInstalledError,
    ServedDocumentation,
    serve_documentation,
)
from tests.sites.site import Site


@pytest.fixture
def site() -> Iterator[Site]:
    """An empty loopback site, listening; every path is 404 until the test says otherwise."""
    with Site() as running:
        yield running


def _served(
    wanted: Documentation, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServedDocumentation]:
    try:
        own = tmp_path_factory.getbasetemp()
        shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
        with serve_documentation(wanted, tmp_path_factory.mktemp("nginx"), shared) as served:
            yield served
    except NotInstalledError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def postgresql_docs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedDocumentation]:
    """PostgreSQL's manual (some 1,200 pages) behind nginx; skips where it is not installed."""
    yield from _served(documentation.POSTGRESQL, tmp_path_factory)


@pytest.fixture(scope="session")
def cppreference_docs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedDocumentation]:
    """The C++ reference behind nginx; skips where it is not installed.

    Some 450 pages of it, or all 4,400 in the long form.
    """
    yield from _served(documentation.ALL[1], tmp_path_factory)


@pytest.fixture(scope="session", params=documentation.ALL, ids=lambda wanted: wanted.package)
def nginx_docs(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServedDocumentation]:
    """Each documentation in turn; a test that asks for this runs once per package."""
    yield from _served(request.param, tmp_path_factory)
