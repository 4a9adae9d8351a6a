"""The pages on the keyboard have the keys of the window."""

import runpy
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gossamer.gui.text import language

ROOT = Path(__file__).parents[2]
REFERENCE = runpy.run_path(str(ROOT / "packaging" / "reference_pages.py"))


@pytest.mark.parametrize(("code", "page"), [("en", "keyboard.md"), ("zh_CN", "zh/keyboard.md")])
def test_the_page_is_the_one_made_from_the_actions(
    qtbot: QtBot, code: language.Language, page: str
) -> None:
    del qtbot
    language.use(code)
    try:
        made = REFERENCE["keyboard"](code)
    finally:
        language.use("en")
    found = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert found == made, "run packaging/reference_pages.py"
