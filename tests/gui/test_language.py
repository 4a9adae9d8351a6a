"""How numbers are written: in the manner of the language, and never without separators."""

import pytest
from PySide6.QtCore import QLocale

from gossamer.gui.text.language import Language, locale_for

C, US, GERMAN = QLocale.c(), QLocale("en_US"), QLocale("de_DE")


@pytest.mark.parametrize(
    ("choice", "system", "written"),
    [
        ("system", C, "1,000,000"),
        ("en", C, "1,000,000"),
        ("system", GERMAN, "1.000.000"),
        ("en", GERMAN, "1,000,000"),
        ("zh_CN", US, "1,000,000"),
    ],
)
def test_a_million_has_its_separators(choice: Language, system: QLocale, written: str) -> None:
    assert locale_for(choice, system).toString(1_000_000) == written
