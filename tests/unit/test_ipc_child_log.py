"""The log of the child processes, as it stands in the file."""

import asyncio
import logging
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

import msgspec
import pytest

from gossamer.ipc.child_log import ChannelLog, JsonLogFormatter, relay
from gossamer.ipc.log_file import KEPT, MAX_BYTES, MOST_LOGS, kept_logs, rotate, tidy
from gossamer.model.messages.crawl_messages import Start
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch, LogLine
from gossamer.model.secrets import OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings

if TYPE_CHECKING:
    from gossamer.ipc.channel import Channel

SETTINGS = CrawlSettings(roots=("http://a/",))
TALKER = """
import logging, sys
from gossamer.ipc.child_log import log_as_json, log_to
log_as_json()
log_to(sys.argv[1])
for number in range(int(sys.argv[3])):
    logging.warning("x" * 2000, extra={"who": sys.argv[2], "number": number})
"""


def line(record: logging.LogRecord) -> dict[str, str]:
    """The line of a record, read as a program that follows the log would."""
    text = JsonLogFormatter().format(record)
    assert "\n" not in text
    return msgspec.json.decode(text, type=dict[str, str])


def test_log_lines_have_message_source_and_time() -> None:
    record = logging.makeLogRecord(
        {"msg": "%s ended", "args": ("it",), "levelname": "WARNING", "created": 0.25}
    )
    record.url = "http://a/"
    assert line(record) == {
        "url": "http://a/",
        "event": "it ended",
        "level": "warning",
        "timestamp": "1970-01-01T00:00:00.250000+00:00",
    }


def test_a_traceback_is_in_the_line_of_its_event() -> None:
    error = ZeroDivisionError("first\nsecond")
    record = logging.makeLogRecord({"msg": "x", "exc_info": (type(error), error, None)})
    assert line(record)["exception"] == "ZeroDivisionError: first\nsecond"


def test_values_without_json_form_are_written_as_shown() -> None:
    record = logging.makeLogRecord({"msg": "x", "command": object})
    assert line(record)["command"] == repr(object)


def test_values_of_other_types_derived_from_text_and_numbers_are_written() -> None:
    class Text(str):
        __slots__ = ()

    class Number(int):
        pass

    record = logging.makeLogRecord({"msg": "x", "url": Text("http://a/"), "count": Number(3)})
    written = line(record)
    assert (written["url"], written["count"]) == ("http://a/", "3")


def test_no_secret_in_a_message_is_written() -> None:
    secrets = Secrets({"http://a": OriginSecrets(cookies=(("session", "s3cret"),))})
    fetch = Fetch(1, "/", cookies="session=s3cret")
    for said in (Start("a.gossamer", secrets=secrets), [ConfigureWorker(SETTINGS, secrets)], fetch):
        text = JsonLogFormatter().format(logging.makeLogRecord({"msg": "x", "command": said}))
        assert "command" in text
        assert "s3cret" not in text


class _Channel:
    """Keeps what is sent; `congested` as a test wants it."""

    def __init__(self) -> None:
        self.congested = False
        self.sent: list[LogLine] = []

    def send(self, message: LogLine) -> None:
        self.sent.append(message)


def test_a_worker_sends_its_lines_from_any_thread_while_the_host_reads_them() -> None:
    channel = _Channel()

    async def main() -> None:
        log = ChannelLog(cast("Channel[object]", channel))
        record = logging.makeLogRecord({"msg": "read", "levelname": "WARNING"})
        log.handle(record)
        await asyncio.to_thread(log.handle, record)
        await asyncio.sleep(0)
        channel.congested = True
        log.handle(record)
        await asyncio.sleep(0)

    asyncio.run(main())
    events = [msgspec.json.decode(each.line)["event"] for each in channel.sent]
    assert events == ["read", "read"]


def test_a_line_of_a_worker_stands_in_the_log_of_its_host_as_it_was_sent(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.handler.setFormatter(JsonLogFormatter())
    relay('{"event": "read", "level": "warning"}')
    assert caplog.text == '{"event": "read", "level": "warning"}\n'


def test_log_of_several_processes_is_bounded(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    talkers = [subprocess.Popen([sys.executable, "-c", TALKER, log, name, "1500"]) for name in "ab"]
    assert [talker.wait() for talker in talkers] == [0, 0]
    files = [file for file in kept_logs(log) if file.exists()]
    assert sorted(files) == sorted(tmp_path.iterdir())
    assert len(files) == KEPT
    assert all(file.stat().st_size < MAX_BYTES + 100_000 for file in files)
    # No process puts aside what another has just begun.
    assert all(file.stat().st_size >= MAX_BYTES for file in files[1:])
    lines = [msgspec.json.decode(line) for file in files for line in file.read_bytes().splitlines()]
    # Who ended first may have been forgotten since, but never the end of who ended last.
    assert max(line["number"] for line in lines) == 1499


def test_a_log_that_cannot_be_rotated_is_bounded(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    for file in kept_logs(log)[1:]:
        (file / "not empty").mkdir(parents=True)
    subprocess.run([sys.executable, "-c", TALKER, log, "a", "1500"], check=True)
    assert log.stat().st_size < 2 * MAX_BYTES + 10_000


def test_a_full_log_is_rotated_and_the_oldest_removed(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    for text in "abcd":
        log.write_text(text * MAX_BYTES)
        rotate(log)
    log.write_text("short")
    rotate(log)
    texts = [file.read_text()[:5] for file in kept_logs(log)]
    assert texts == ["short", "ddddd", "ccccc"]
    assert len(list(tmp_path.iterdir())) == KEPT


def test_no_empty_log_is_created(tmp_path: Path) -> None:
    log = tmp_path / "a.log"
    subprocess.run([sys.executable, "-c", TALKER, log, "a", "0"], check=True)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="has no such modes")
def test_a_log_is_for_its_owner_alone(tmp_path: Path) -> None:
    log, mask = tmp_path / "a.log", os.umask(0)
    try:
        subprocess.run([sys.executable, "-c", TALKER, log, "a", "1500"], check=True)
    finally:
        os.umask(mask)
    assert {stat.S_IMODE(file.stat().st_mode) for file in kept_logs(log)} == {0o600}


def test_old_logs_are_removed(tmp_path: Path) -> None:
    for number in range(MOST_LOGS + 50):
        log = tmp_path / f"site-{number:08x}.log"
        log.touch()
        os.utime(log, (number, number))
    (tmp_path / "window.log").touch()
    tidy(tmp_path)
    kept = {log.name for log in tmp_path.iterdir()}
    assert kept == {"window.log", *(f"site-{number:08x}.log" for number in range(50, 250))}
