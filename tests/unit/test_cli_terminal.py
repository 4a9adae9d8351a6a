"""What is written to a terminal: words, harmless text, progress."""

import io
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from rich.console import Console

from gossamer.cli.progress_display import (
    LINE_EVERY_S,
    LineDisplay,
    LiveLineDisplay,
    counts,
    current,
    current_url,
    display,
)
from gossamer.cli.terminal import complain, prepare_streams, printable, write_out
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import OutputError
from gossamer.model.messages.crawl_messages import InFlight, Progress, Retry
from gossamer.model.translatable import Translatable
from tests.cases import each_case


def progress(fetched: int = 1234, url: str = "https://example.com/a") -> Progress:
    return Progress(
        state=CrawlState.RUNNING,
        seconds=42.9,
        queued=4444,
        fetched=fetched,
        redirects=12,
        errors=3,
        pages_per_second=41.25,
        in_flight=[InFlight(7, url, 0.0)] if url else [],
    )


@each_case(
    ("text", "expected"),
    [
        ("https://example.com/ü", "https://example.com/ü"),
        ("\x1b[2Jgone", "\ufffd[2Jgone"),
        ("\x9b31mred", "\ufffd31mred"),
        ("two\nlines\r\x07", "two\ufffdlines\ufffd\ufffd"),
        ("evil\u202etxt.exe", "evil\ufffdtxt.exe"),
        ("file\udcff", "file\ufffd"),
        ("\u200eC\u200e++ co\u00adop\ufeff", "C++ coop"),
        ("می\u200cروم", "می\u200cروم"),
        ("क्\u200dष 👩🏽\u200d🚀", "क्\u200dष 👩🏽\u200d🚀"),
        ("pay\u200dpal", "pay\ufffdpal"),
        ("\u2067a\u2069\u061c\u202d", "\ufffda\ufffd\ufffd"),
    ],
)
def test_control_characters_are_not_printable(text: str, expected: str) -> None:
    assert printable(text) == expected


def test_complaints_are_one_harmless_line(capsys: pytest.CaptureFixture[str]) -> None:
    complain("No\x1b[31m such\nthing.")
    assert capsys.readouterr().err == "gossamer: No\ufffd[31m such\ufffdthing.\n"


def test_characters_missing_from_the_encoding_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    prepare_streams()
    write_out("größer\n")
    assert raw.getvalue().split() == [b"gr??er"]


def test_a_program_without_standard_streams_writes_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    prepare_streams()
    write_out("report\n")
    complain("Nobody hears this.")
    with display(quiet=False) as shown:
        shown.show(progress())


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        with pytest.raises(OutputError, match="No space left"):
            write_out("report\n")


def test_counts_on_one_line() -> None:
    expected = "1,234 of 5,678 fetched, 41.2 pages/s, 12 redirects, 3 errors, 0:42"
    assert counts(progress()) == expected
    recrawl = replace(progress(), unchanged=1200)
    assert counts(recrawl) == expected.replace("fetched,", "fetched, 1,200 unchanged,")


def test_current_url_is_printable() -> None:
    assert current_url(progress(url="https://example.com/\x1b[2J")) == (
        "https://example.com/\ufffd[2J"
    )
    assert current_url(progress(url="")) == ""


def test_a_plain_line_every_ten_seconds() -> None:
    written: list[str] = []
    now_s = 0.0
    lines = LineDisplay(written.append, lambda: now_s)
    for tenth in range(251):
        now_s = tenth / 10
        lines.show(progress(fetched=tenth))
    assert LINE_EVERY_S == 10
    assert [line.partition(" ")[0] for line in written] == ["100", "200"]
    assert written[0].endswith(", now https://example.com/a")


def test_each_retry_of_a_silent_server_is_printed_once() -> None:
    written: list[str] = []
    lines = LineDisplay(written.append, lambda: 0.0)
    for try_, seconds in ((2, 5), (2, 4), (2, 0), (3, 5)):
        retry = Retry(Translatable("a.test refuses\x1b connections"), seconds, try_, 4)
        waiting = msgspec.structs.replace(progress(fetched=0), retry=retry)
        assert current(waiting) == printable(str(retry.said))
        lines.show(waiting)
    assert written == [
        "a.test refuses\ufffd connections; retrying in 5 s (attempt 2 of 4).",
        "a.test refuses\ufffd connections; retrying in 5 s (attempt 3 of 4).",
    ]


def test_what_is_started_is_told_once_each() -> None:
    written: list[str] = []
    lines = LineDisplay(written.append, lambda: 0.0)
    address = {"address": "tcp://a:1"}
    connecting = Translatable("Connecting to the Dask scheduler at {address}…", address)
    for starting in (None, connecting, connecting, Translatable("Starting the nodes…"), None):
        lines.show(Progress(state=CrawlState.RUNNING, starting=starting))
    assert written == ["Connecting to the Dask scheduler at tcp://a:1…", "Starting the nodes…"]


def test_live_line_is_drawn_in_two_lines_and_gone_at_the_end() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=60)
    with LiveLineDisplay(console) as live:
        live.show(progress(url="https://example.com/[bold]" + "x" * 200))
    drawn = out.getvalue()
    assert "1,234 of 5,678" in drawn
    assert "https://example.com/[bold]" in drawn
    assert "x" * 60 not in drawn
    assert drawn.rpartition("…")[2].count("\x1b[1A\x1b[2K") == 2


class ClosedTerminal(io.StringIO):
    writes = 0

    def write(self, text: str) -> int:
        self.writes += 1
        raise OSError(5, "Input/output error", text)


def test_a_terminal_that_was_closed_does_not_end_the_crawl() -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True)
    with LiveLineDisplay(console) as live:
        console.file = terminal = ClosedTerminal()
        live.show(progress())
        live.show(progress())
    assert terminal.writes > 0


def test_without_a_terminal_progress_is_plain_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with display(quiet=False) as shown:
        assert isinstance(shown, LineDisplay)
    with display(quiet=True) as shown:
        shown.show(progress())
    assert capsys.readouterr().err == ""
