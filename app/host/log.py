"""The log of the child processes: one JSON object a line, on standard error."""

import logging
import os
import sys
from datetime import UTC, datetime
from typing import Final

import msgspec

_OF_EVERY_RECORD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
_STANDARD_ERROR: Final = 2
_encoder = msgspec.json.Encoder(enc_hook=repr)


class JsonLines(logging.Formatter):
    """A record as one JSON object: what was given as `extra`, then what every line has."""

    def format(self, record: logging.LogRecord) -> str:
        """The object on one line; `exception` holds the traceback if there is one."""
        line = {k: v for k, v in vars(record).items() if k not in _OF_EVERY_RECORD}
        line["event"] = record.getMessage()
        line["level"] = record.levelname.lower()
        line["timestamp"] = datetime.fromtimestamp(record.created, UTC).isoformat()
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return _encoder.encode(line).decode()


def log_as_json() -> None:
    """Write the log of this process, from INFO on, to its standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler])


def log_to(path: str) -> None:
    """Lead standard error to the end of a file: the log, and what the interpreter says of a crash.

    Where the file cannot be opened, nowhere; with "" it stays where it leads.
    """
    if not path:
        return
    try:
        log = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    except OSError:
        log = os.open(os.devnull, os.O_WRONLY)
    os.dup2(log, _STANDARD_ERROR)
    os.close(log)
