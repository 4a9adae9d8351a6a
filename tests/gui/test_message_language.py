"""Messages are in the words of the window, though they are read without Qt."""

import pytest
from PySide6.QtCore import QTranslator

from gossamer.model.program_resources import resource_path
from gossamer.notifying.conditions import ConditionKind
from gossamer.notifying.message_language import translator


@pytest.mark.usefixtures("qapp")
def test_sentences_are_translated_as_qt_does() -> None:
    qt = QTranslator()
    assert qt.load(str(resource_path("translations") / "gossamer_zh_CN.qm"))
    chinese = translator("zh_CN")
    texts = [each.label for each in ConditionKind]
    texts += [
        "robots.txt has changed",
        "Issues have appeared",
        "… and {count} more",
        "No such file",
    ]
    for text in texts:
        assert chinese(text) == (qt.translate("Sentences", text) or text)
    assert chinese("robots.txt has changed") != "robots.txt has changed"
