"""Who has a project open for writing."""

from datetime import datetime

from msgspec import Struct


class Holder(Struct, frozen=True, kw_only=True):
    """The process that writes a project. `since` is Unix time in seconds."""

    pid: int = 0
    """0 where it is not known."""
    host: str = ""
    """The name of its machine."""
    since: float = 0.0
    boot: str = ""
    """Names the start of the machine; "" where the system does not tell."""
    started: str = ""
    """Tells the process from another with the same id; "" where the system does not tell."""

    def __str__(self) -> str:
        if not self.pid:
            return "another process"
        try:
            since = f", since {datetime.fromtimestamp(self.since).astimezone():%Y-%m-%d %H:%M}"
        except (ValueError, OverflowError, OSError):  # nobody's clock says that
            since = ""
        return f"process {self.pid} on {self.host or 'this machine'}{since}"
