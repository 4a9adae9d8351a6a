"""The messages between a shell (window or command line) and a crawl host.

Every message is a msgspec struct with a tag; `gossamer.ipc` frames them. A message never carries a
body: large data goes into the project file, for readers. `worker_messages` has the messages between
a host and its workers.
"""

from enum import StrEnum
from typing import Final

from msgspec import Struct, field

from gossamer.model.cluster_address import NO_CLUSTER, ClusterChoice
from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.shard_messages import (
    FinishShard,
    GrantPages,
    LinkBatch,
    LinksTaken,
    ShardReport,
)
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable, said

# ---------------------------------------------------------------- shell → host


class BulkActionKind(StrEnum):
    """What a bulk action does with some of a crawl's URLs."""

    RECRAWL = "recrawl"
    """Request again what was requested, failed or was cancelled; and what was refused, if nothing
    refuses it any more."""
    CANCEL = "cancel"
    """Remove what is queued, held back or in flight; its rows say so."""
    RESTORE = "restore"
    """Undo a CANCEL: queue again what was cancelled."""
    EXCLUDE = "exclude"
    """Remove what is queued, held back or in flight below a folder, and refuse what is found there
    from now on: the settings get an exclude pattern."""
    INCLUDE = "include"
    """Undo the exclusion of a folder: its exclude pattern goes, and what only that refused or
    removed is queued."""
    HOLD = "hold"
    """Hold back what is queued or in flight until it is released; and what is found below that
    folder, or on those pages, from now on."""
    RELEASE = "release"
    """Queue what was held back, and hold back nothing more there."""
    FIRST = "first"
    """Request what is queued or held back before everything else; and what is found below that
    folder from now on."""


STARTING_KINDS: Final = frozenset(
    {
        BulkActionKind.RECRAWL,
        BulkActionKind.RESTORE,
        BulkActionKind.RELEASE,
        BulkActionKind.FIRST,
        BulkActionKind.INCLUDE,
    }
)
"""The actions that continue a finished crawl. One that was paused or cancelled has more to do than
these request: only a start continues it."""


class UrlSelection(Struct, frozen=True):
    """A selection of a crawl's URLs: those that meet all conditions; without any, all."""

    ids: tuple[int, ...] = ()
    folder: str = ""
    """The start of a serialised URL, up to a slash: "https://example.com/blog/"."""
    below: int | None = None
    """A URL, by id: itself, and all that was first found on it, or on what was found on it."""
    failed: bool = False
    """What failed or is refused to robots: the list of errors."""
    queued: bool = False
    """What waits to be requested."""


class BulkAction(Struct, tag=True, frozen=True):
    """Perform an action on some URLs, in any state of the crawl."""

    kind: BulkActionKind
    selection: UrlSelection


class ChangeSettings(Struct, tag=True, frozen=True):
    """Change the settings of the crawl at once."""

    settings: CrawlSettings


class Start(Struct, tag=True, frozen=True):
    """Crawl, or continue to crawl, the project file. The host's first command, and its resume."""

    project: str
    workers: int | None = None
    """Overrides the project's number of workers."""
    secrets: Secrets = NO_SECRETS
    """What the project file does not hold."""
    log: str = ""
    """The file to write the log to from now on; "" for none of its own."""
    actions: tuple[BulkAction | ChangeSettings, ...] = ()
    """What to do first of all."""
    cluster: ClusterChoice = NO_CLUSTER
    """Where its nodes are; no project file has that."""
    crawl: bool = True
    """Whether to crawl then; otherwise the host ends, and the crawl stays as it was."""
    shards_of: str = ""
    """The id of the crawl that the shell coordinates: the host crawls only shards of that."""
    page_limit: int | None = None
    """How many pages a shard may fetch in total at first, if the crawl has a limit."""
    processes: int | None = None
    """How many page workers a shard has; None: its share of what is good for this machine."""
    silence_s: float | None = None
    """After this time without a message of the shell, the host takes it for gone; None: it is on
    this machine, and its end closes the connection."""
    clock_ahead_s: float = 0.0
    """How far the clock of the host's machine is ahead of the shell's."""


class ShellHeartbeat(Struct, tag=True, frozen=True):
    """The shell still wants the crawl; for hosts that cannot see whether it runs."""


class Pause(Struct, tag=True, frozen=True):
    """Start no new fetch. With `now`, cancel those in flight back into the frontier too."""

    now: bool = False


class Resume(Struct, tag=True, frozen=True):
    """Resume after a pause."""


class Cancel(Struct, tag=True, frozen=True):
    """End the crawl: every fetch is cancelled, every socket closed, everything committed."""


class SetWorkers(Struct, tag=True, frozen=True):
    """Change the number of URLs in flight at once."""

    workers: int


class Close(Struct, tag=True, frozen=True):
    """Pause now, commit, end the process."""


HostCommand = (
    Start
    | Pause
    | Resume
    | Cancel
    | BulkAction
    | ChangeSettings
    | SetWorkers
    | Close
    | ShellHeartbeat
    | LinkBatch
    | LinksTaken
    | GrantPages
    | FinishShard
)

# ---------------------------------------------------------------- host → shell


class InFlight(Struct, frozen=True, array_like=True):
    """A URL being fetched. `since` is Unix time in seconds."""

    url_id: int
    url: str
    since: float
    tries: int = 1


class HostState(Struct, frozen=True, array_like=True):
    """A host that is being requested, or waited for."""

    host: str
    """Its name, and its port if that is not the scheme's."""
    active: int = 0
    """Requests in flight."""
    queued: int = 0
    """URLs that wait in memory; the project file may have more."""
    delay_s: float = 0.0
    """Between two requests, as the settings or its robots.txt require."""
    rests_s: float = 0.0
    """For how long it is still left alone, because it asked for that or does not respond."""


class NodeState(Struct, frozen=True, array_like=True):
    """A node of the cluster that works for the crawl, or cannot."""

    name: str
    workers: int = 0
    """Page workers that have started there."""
    active: int = 0
    """Its jobs."""
    per_second: float = 0.0
    """Jobs done over the last few seconds."""
    trouble: Translatable | None = None
    """Why it gets no jobs."""


class Retry(Struct, frozen=True, array_like=True):
    """A URL that is retried: its host did not respond, and no other has so far."""

    why: Translatable
    """What its host does: "example.com refuses connections"."""
    seconds: int
    """Until the next try; 0: it is being tried."""
    number: int
    """The number of the next try, from 1."""
    most: int
    """The total number of tries."""

    @property
    def said(self) -> Translatable:
        """All of it, as one sentence."""
        values = {"why": self.why, "number": self.number, "most": self.most}
        if not self.seconds:
            return said("{why}; retrying now (attempt {number} of {most}).", **values)
        return said(
            "{why}; retrying in {seconds} s (attempt {number} of {most}).",
            seconds=self.seconds,
            **values,
        )


class Progress(Struct, tag=True, frozen=True):
    """Counters of the whole crawl, from all its runs, about ten times a second.

    `seconds` is time spent crawling (pauses excluded). `revision` rises with every commit, so
    that a reader knows when to look again. `in_flight` holds at most 200 rows, oldest first;
    `active` is their full number.
    """

    state: CrawlState
    revision: int = 0
    seconds: float = 0.0
    known: int = 0
    """URLs ever seen, skipped ones included; without former pages."""
    queued: int = 0
    """To do: not yet fetched, those in flight included."""
    fetched: int = 0
    """Done: responded or failed for good."""
    pages: int = 0
    redirects: int = 0
    errors: int = 0
    skipped: int = 0
    received_bytes: int = 0
    """Bodies as received over the wire, including those of what rendered pages load."""
    unchanged: int = 0
    """Responses of a recrawl that are those of the earlier project: not modified, or not due."""
    pages_per_second: float = 0.0
    """HTML pages per second over the last few seconds."""
    workers: int = 0
    active: int = 0
    statuses: dict[int, int] = field(default_factory=dict)
    """HTTP status → URLs."""
    outcomes: dict[int, int] = field(default_factory=dict)
    """Outcome → URLs that are done, failed, skipped or cancelled."""
    in_flight: list[InFlight] = field(default_factory=list)
    hosts: list[HostState] = field(default_factory=list)
    """At most a dozen: those left alone first, then the busiest; at most half a second old."""
    nodes: list[NodeState] = field(default_factory=list)
    """Of a crawl on a cluster, by name."""
    notice: Translatable | None = None
    """Why the crawl paused by itself; one sentence for the user."""
    login_url: str = ""
    """The page that requires the login, if that is why it paused."""
    waits: bool = False
    """Whether it continues by itself once the cause in `notice` has passed."""
    retry: Retry | None = None
    """The URL that is being retried, if there is no response yet."""
    starting: Translatable | None = None
    """What must be ready before anything is requested, such as the nodes of a cluster."""
    silent_after_ms: int | None = None
    """After an immediate pause or a cancel: how long it took until no connection was open."""
    archive_trouble: Translatable | None = None
    """What went missing from the archive during this crawl; sentences for the user."""
    actions_done: int = 0
    """Bulk actions and setting changes that this host has carried out, those of `Start`
    included."""

    @property
    def requested(self) -> int:
        """URLs that are requested sooner or later: done, and to do."""
        return self.fetched + self.queued

    @property
    def why_nothing_yet(self) -> Translatable | None:
        """Why there is no result yet, as one sentence; None if that needs no explanation."""
        return self.starting if self.retry is None else self.retry.said


class Trouble(Struct, tag=True, frozen=True):
    """Why the host cannot continue, as one sentence for the user. The host ends after it."""

    sentence: Translatable
    exit_code: int
    again: bool = False
    """Whether the shell restarts it by itself: it hung, after having made progress."""


class HostHeartbeat(Struct, tag=True, frozen=True):
    """Heartbeat: the host is alive, and its loop runs. Sent every second."""

    stuck: bool = False
    """Whether its disk has kept it waiting for a minute."""


Report = Progress | Trouble | HostHeartbeat | ShardReport | LinkBatch

# ---------------------------------------------------------------- demo site → shell


class DemoSiteServing(Struct, tag=True, frozen=True):
    """The demo site is served at `url`."""

    url: str
