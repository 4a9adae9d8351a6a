from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT, committed_files

MOST_LINES = 400
MODULES = [
    path
    for path in committed_files()
    if path.suffix == ".py" and path.relative_to(ROOT).parts[0] in {"app", "packaging"}
]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_have_at_most_400_lines(module: Path) -> None:
    lines = module.read_text(encoding="utf-8").count("\n")
    assert lines <= MOST_LINES
