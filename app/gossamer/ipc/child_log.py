"""Logs of the child processes: one JSON object per line on standard error."""

import asyncio
import logging
import os
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TextIO

import msgspec

from gossamer.ipc.channel import Channel
from gossamer.ipc.log_file import MAX_BYTES, opened_log, rotate, same_file
from gossamer.model.messages.worker_messages import LogLine

_OF_EVERY_RECORD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
_STANDARD_ERROR: Final = 2
_FORMATTED: Final = "formatted"
"""The attribute of a record that another process has formatted."""
_log: Path | None = None
"""The file that standard error leads to, once set."""
_encoder = msgspec.json.Encoder()


class JsonLogFormatter(logging.Formatter):
    """A record as one JSON object: what was given as `extra`, then what every line has."""

    def format(self, record: logging.LogRecord) -> str:
        """The object on one line; `exception` holds the traceback if there is one."""
        if isinstance(formatted := getattr(record, _FORMATTED, None), str):
            return formatted
        line = {k: _shown(v) for k, v in vars(record).items() if k not in _OF_EVERY_RECORD}
        line["event"] = record.getMessage()
        line["level"] = record.levelname.lower()
        line["timestamp"] = datetime.fromtimestamp(record.created, UTC).isoformat()
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return _encoder.encode(line).decode()


def _shown(value: object) -> object:
    """A value for JSON. Messages use their own repr, which hides secrets."""
    if isinstance(value, str):
        return str.__str__(value)
    return value if value is None or type(value) in {bool, int, float} else repr(value)


class BoundedErrors(logging.StreamHandler[TextIO]):
    """Writes to standard error; where that leads to a log that is full, to a new one.

    When several processes write to one log, the one that finds it full rotates it, and the others
    follow. A log that cannot be rotated gets no more lines at twice the length.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record."""
        if _log is None or self._has_room(_log):
            super().emit(record)

    def _has_room(self, log: Path) -> bool:
        if os.fstat(_STANDARD_ERROR).st_size < MAX_BYTES and same_file(_STANDARD_ERROR, log):
            return True
        if same_file(_STANDARD_ERROR, log):
            rotate(log)
        _lead_to(log)
        return os.fstat(_STANDARD_ERROR).st_size < 2 * MAX_BYTES


def log_as_json() -> None:
    """Write the log of this process, from INFO on, to its standard error."""
    handler = BoundedErrors(sys.stderr)
    handler.setFormatter(JsonLogFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


class ChannelLog(logging.Handler):
    """Sends each line to the parent, which writes it to the log of the crawl.

    Lines are lost if the parent reads too slowly.
    """

    def __init__(self, channel: Channel[Any]) -> None:
        """Take the channel; records may come from any thread."""
        super().__init__()
        self._channel = channel
        self._loop = asyncio.get_running_loop()
        self.setFormatter(JsonLogFormatter())

    def emit(self, record: logging.LogRecord) -> None:
        """Send the record."""
        with suppress(RuntimeError):  # the loop has been closed: nobody reads it any more
            self._loop.call_soon_threadsafe(self._send, LogLine(self.format(record)))

    def _send(self, line: LogLine) -> None:
        if not self._channel.congested:
            self._channel.send(line)


def log_over(channel: Channel[Any]) -> None:
    """From now on, send the log of this process to its parent."""
    logging.getLogger().handlers = [ChannelLog(channel)]


def relay(line: str) -> None:
    """Write a line of another process into the log of this one."""
    logging.getLogger().handle(logging.makeLogRecord({_FORMATTED: line, "levelno": logging.INFO}))


def log_to(path: str) -> None:
    """Append standard error to a file, which is created with the first line.

    If the file cannot be opened, lines are lost; with "" nothing changes. Until the first line,
    standard error stays as it is: a crash of the interpreter is reported to the starting process.
    """
    if not path:
        return
    global _log  # noqa: PLW0603 - there is one standard error
    _log = Path(path)


def _lead_to(path: Path) -> None:
    try:
        log = opened_log(path)
    except OSError:
        log = os.open(os.devnull, os.O_WRONLY)
    os.dup2(log, _STANDARD_ERROR)
    os.close(log)
