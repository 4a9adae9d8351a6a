"""The choice where a crawl fetches."""

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gossamer.gui.start.cluster_field import ClusterField
from gossamer.session import cluster_names as names

OFFICE = "tls://10.0.0.5:8786"


@pytest.fixture
def field(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClusterField:
    monkeypatch.setattr(names, "config_folder", lambda: tmp_path)
    (tmp_path / names.FILE_NAME).write_text(f'[clusters]\noffice = "{OFFICE}"\n', encoding="utf-8")
    made = ClusterField("where")
    qtbot.addWidget(made)
    return made


def chosen(field: ClusterField) -> list[str]:
    found: list[str] = []
    field.chosen.connect(found.append)
    return found


def typed(field: ClusterField, text: str) -> None:
    line = field.lineEdit()
    assert line is not None
    line.clear()
    QTest.keyClicks(line, text)
    line.editingFinished.emit()


def test_this_computer_names_and_a_trial_are_offered(field: ClusterField) -> None:
    QApplication.sendEvent(field, QFocusEvent(QEvent.Type.FocusIn))
    offered = [field.itemText(row) for row in range(field.count())]
    assert offered == ["This computer", "office", "local:2"]
    assert (field.currentText(), field.address()) == ("This computer", "")


def test_a_name_stands_for_its_address_and_is_shown_for_it(field: ClusterField) -> None:
    wanted = chosen(field)
    typed(field, "office")
    typed(field, "tcp://a:1")
    typed(field, "tcp://a:1")
    typed(field, "")
    assert wanted == [OFFICE, "tcp://a:1", ""]
    assert field.currentText() == "This computer"
    field.show_address(OFFICE)
    assert field.currentText() == "office"
    assert len(wanted) == 3, "that was nobody's wish"
