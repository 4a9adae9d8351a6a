"""The time zone of the computer, with the days on which its clocks change."""

from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final


class _LocalZone(tzinfo):
    """The system's time zone: `datetime.astimezone` alone knows one offset, not its changes.

    In a repeated hour, `fold` says which is meant, as usual in Python.
    """

    def utcoffset(self, dt: datetime | None) -> timedelta | None:
        """How far ahead of UTC a local time is."""
        return None if dt is None else dt.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, _dt: datetime | None) -> timedelta | None:
        """Unknown: nobody needs it."""
        return None

    def tzname(self, dt: datetime | None) -> str | None:
        """The name of the zone at that time."""
        return None if dt is None else dt.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, dt: datetime) -> datetime:
        """The local time of a moment in UTC."""
        local = dt.replace(tzinfo=UTC).astimezone()
        plain = local.replace(tzinfo=None)
        is_second = plain.astimezone().utcoffset() != local.utcoffset()
        return plain.replace(tzinfo=self, fold=int(is_second))


LOCAL: Final[tzinfo] = _LocalZone()


def local_now() -> datetime:
    """Now, in the zone of the computer."""
    return datetime.now(UTC).astimezone(LOCAL)


def local_time(moment_s: float) -> datetime:
    """A moment in Unix seconds, in the zone of the computer."""
    return datetime.fromtimestamp(moment_s, UTC).astimezone(LOCAL)
