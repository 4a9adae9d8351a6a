"""What the window says of addresses that were left out at the trap limit."""

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.shell.crawl_notices import TrapLimitNotice
from gossamer.gui.widgets.message_bar import MessageColumn
from gossamer.model.outcome import Outcome
from tests.fakes.project_rows import FakeRows
from tests.patience import PATIENCE_MS


@pytest.mark.parametrize("left_out", [0, 1, 1234])
def test_the_trap_message_counts_urls_names_one_and_resumes_with_one_click(
    qtbot: QtBot, left_out: int
) -> None:
    rows = FakeRows()
    rows.add("http://a.example/", Outcome.PAGE)
    for n in range(left_out):
        rows.add(f"http://a.example/c?month={n}", Outcome.OVER_BUDGET)
    messages, clicks, done = MessageColumn(), list[str](), list[None]()
    qtbot.addWidget(messages)
    messages.show()
    reader = ProjectReader(lambda _: rows)
    reader.open(Path("a.gossamer"))
    told = TrapLimitNotice(reader, messages, lambda: clicks.append("go on"))
    told.check()
    reader.submit(lambda _rows: None, done.append, key="after", background=True)
    qtbot.waitUntil(lambda: bool(done), timeout=PATIENCE_MS)
    message = messages.about("trap limit")
    if not left_out:
        assert message is None
        reader.close()
        return
    assert message is not None
    assert f"{left_out:,} URL" in message.text()
    assert "http://a.example/c?month=0" in message.text()
    message.answer("Raise the limit and continue").click()
    assert clicks == ["go on"]
    told.withdraw()
    assert messages.about("trap limit") is None
    reader.close()
