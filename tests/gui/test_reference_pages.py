"""The pages made with Qt: keys of the window, its words for settings, views of SQL."""

import runpy
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gossamer.gui.text import language
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.translatable import Translatable

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "packaging"))
pytestmark = pytest.mark.usefixtures("compiled_translations")
REFERENCE = runpy.run_path(str(ROOT / "packaging" / "reference_pages.py"))


@pytest.mark.parametrize(("code", "page"), [("en", "sql.md"), ("zh_CN", "zh/sql.md")])
def test_the_page_on_sql_is_the_one_made_from_views_and_templates(
    qtbot: QtBot, code: language.Language, page: str
) -> None:
    del qtbot
    language.use(code)
    try:
        made = REFERENCE["sql"](code, lambda text: spoken(Translatable(text)))
    finally:
        language.use("en")
    found = (ROOT / "docs" / page).read_text(encoding="utf-8")
    assert found == made, "run packaging/dev.py generate"


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
    assert found == made, "run packaging/dev.py generate"


def test_the_chinese_table_of_settings_is_the_one_made_from_their_declarations(
    qtbot: QtBot,
) -> None:
    del qtbot
    english, chinese = (
        (ROOT / "docs" / page).read_text(encoding="utf-8")
        for page in ("settings.md", "zh/settings.md")
    )
    language.use("zh_CN")
    try:
        made = REFERENCE["settings_in_chinese"](chinese, english)
    finally:
        language.use("en")
    assert chinese == made, "run packaging/dev.py generate"
