"""The messages between a crawl host and its workers: jobs and results.

A worker may run on another machine: no message names a file of ours, only the folder of an archive,
which is on the worker's machine. `gossamer.ipc` frames them, and compares
`gossamer.ipc.PROTOCOL_VERSION` on both ends before the first one.
"""

from enum import IntEnum

from msgspec import Struct

from gossamer.model.archive_record import ArchiveLocation
from gossamer.model.cookie import Cookie
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, Visit

# ---------------------------------------------------------------- host → worker


class ConfigureWorker(Struct, tag=True, frozen=True, array_like=True):
    """The first message to a worker; a later one changes the settings."""

    settings: CrawlSettings
    secrets: Secrets = NO_SECRETS
    sharers: int = 1
    """How many workers load what pages request: each has an equal share of the rate of a host."""
    archive: ArchiveLocation | None = None
    """Where to archive what is fetched; None for nowhere."""
    clock_ahead_s: float = 0.0
    """How far the clock of the worker's machine is ahead of the coordinator's."""


class FetchKind(IntEnum):
    """What is wanted of a URL. It decides which kind of worker gets the job."""

    PAGE = 0
    """Everything: facts and links."""
    CHECK = 1
    """Its headers."""
    TEXT = 2
    """Its body as text, cut at 500 KiB, in `Fetched.text` (robots.txt)."""
    SITEMAP = 3
    """The URLs it names."""


class Fetch(Struct, tag=True, frozen=True, array_like=True):
    """A job: request `url` once, one hop, and report the visit."""

    job: int
    url: str
    kind: FetchKind = FetchKind.PAGE
    cookies: str = ""
    """The value of the Cookie header, decoded as ISO-8859-1."""
    mode: FetchMode = FetchMode.USUAL
    conditions: Conditions = NO_CONDITIONS
    """When the server may report that it is not modified."""
    path: CrawlPath | None = None
    """How it was reached, for the archive."""
    site_cookies: list[Cookie] = []
    """Those that its site has set, for the browser if it may be rendered."""

    def __repr__(self) -> str:
        return f"Fetch({self.job}, {self.url!r}, {self.kind!r})"


class CancelJob(Struct, tag=True, frozen=True, array_like=True):
    """Cancel one job; the worker closes its connection and replies `Cancelled`."""

    job: int


class ReturnJob(Struct, tag=True, frozen=True, array_like=True):
    """Give one job back, if it has not begun; then the worker replies `NotBegun`, else nothing."""

    job: int


class SetSlots(Struct, tag=True, frozen=True, array_like=True):
    """How many jobs run at once from now on; others wait their turn in the worker.

    Until this is received, all run at once.
    """

    slots: int


class CancelAllJobs(Struct, tag=True, frozen=True, array_like=True):
    """Cancel every job and close every connection, also idle ones; reply `AllJobsCancelled`."""


Job = ConfigureWorker | Fetch | CancelJob | ReturnJob | SetSlots | CancelAllJobs

# ---------------------------------------------------------------- worker → host


class Fetched(Struct, tag=True, frozen=True, array_like=True):
    """The result of a job."""

    job: int
    visit: Visit
    text: str = ""
    cookies: list[Cookie] = []
    """What the server wants to be sent from now on."""
    certificates: list[ServerCertificate] = []
    """Those of servers that the worker has seen for the first time, whichever job it was for."""


class Cancelled(Struct, tag=True, frozen=True, array_like=True):
    """The job was cancelled before it had a result; its connection is closed."""

    job: int


class NotBegun(Struct, tag=True, frozen=True, array_like=True):
    """The job is given back: it waited too long for its turn, or the host wants it."""

    job: int


class AllJobsCancelled(Struct, tag=True, frozen=True, array_like=True):
    """No job is left and no connection is open."""


class WorkerHeartbeat(Struct, tag=True, frozen=True, array_like=True):
    """Heartbeat: the worker has jobs, and its loop runs. Sent every second."""


class LogLine(Struct, tag=True, frozen=True, array_like=True):
    """A line for the log of the crawl: one JSON object."""

    line: str


Result = Fetched | Cancelled | NotBegun | AllJobsCancelled | WorkerHeartbeat | LogLine
