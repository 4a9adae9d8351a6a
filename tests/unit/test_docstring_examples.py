"""The examples in docstrings are true."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

APP = Path(__file__).parents[2] / "app"
WITH_EXAMPLES = sorted(
    ".".join(path.relative_to(APP).with_suffix("").parts)
    for path in APP.rglob("*.py")
    if re.search(r"^ *>>> ", path.read_text(encoding="utf-8"), re.MULTILINE)
)


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_give_what_they_say(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module))
    assert found.failed == 0
    assert found.attempted
