"""Identifies the process that has a project open for writing."""

from datetime import datetime

from msgspec import Struct

from gossamer.model.translatable import Translatable, said


class LockOwner(Struct, frozen=True, kw_only=True):
    """The process that writes a project. `since` is Unix time in seconds."""

    pid: int = 0
    """0 if unknown."""
    host: str = ""
    """The name of its machine."""
    since: float = 0.0
    boot: str = ""
    """Identifies the boot of the machine; "" if the system does not report it."""
    started: str = ""
    """Distinguishes the process from another with the same id; "" if the system does not report
    it."""
    parent: int = 0
    """The process that started and controls it; 0 if unknown."""
    parent_started: str = ""

    @property
    def said(self) -> Translatable:
        """For a sentence: "process 12 on hal, since 2001-01-12 08:30"."""
        if not self.pid:
            return said("another process")
        host = self.host or said("this machine")
        try:
            since = f"{datetime.fromtimestamp(self.since).astimezone():%Y-%m-%d %H:%M}"
        except (ValueError, OverflowError, OSError):  # nobody's clock says that
            return said("process {pid} on {host}", pid=self.pid, host=host)
        return said("process {pid} on {host}, since {since}", pid=self.pid, host=host, since=since)

    def __str__(self) -> str:
        return str(self.said)
