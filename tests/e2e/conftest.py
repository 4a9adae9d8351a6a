"""A desktop for tests with a real window."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.desktop import Desktop, NoDesktopError, desktop


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desktop]:
    pytest.importorskip("PySide6")
    try:
        with desktop(tmp_path) as running:
            yield running
    except NoDesktopError as missing:
        pytest.skip(str(missing))
