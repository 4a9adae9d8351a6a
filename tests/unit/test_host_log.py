"""The log of the child processes, as it stands in the file."""

import logging

import msgspec

from app.host.log import JsonLines


def line(record: logging.LogRecord) -> dict[str, str]:
    """The line of a record, read as a program that follows the log would."""
    text = JsonLines().format(record)
    assert "\n" not in text
    return msgspec.json.decode(text, type=dict[str, str])


def test_a_line_says_what_where_and_when() -> None:
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


def test_what_is_no_json_is_written_as_it_is_shown() -> None:
    record = logging.makeLogRecord({"msg": "x", "command": object})
    assert line(record)["command"] == repr(object)
