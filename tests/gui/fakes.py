"""A crawl session without a process, and other parts that the window is tested with."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

import msgspec
from msgspec.structs import replace

from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import ExportResult, Preview
from gossamer.export.row_counter import ExportCancelled
from gossamer.export.view_bundles import BundleRequest, Request
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import KnownError, ProjectError, UsageError
from gossamer.model.html_forms import PageForm
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.login_form import FormStep, LoginForm
from gossamer.model.messages.crawl_messages import BulkActionKind, Progress, Trouble
from gossamer.model.messages.crawl_messages import UrlSelection as Some
from gossamer.model.messages.inspection_messages import PageSource, SelectorResult, StoredSource
from gossamer.model.messages.login_messages import LoginSeen
from gossamer.model.messages.page_contents_messages import (
    PageComparison,
    PageContents,
    PageFetchOutcome,
)
from gossamer.model.messages.page_image_messages import ImageFile, PageImages
from gossamer.model.messages.page_load_messages import LoadReport
from gossamer.model.messages.page_rendering_messages import RenderingReport, StoredDomComparison
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.messages.stored_page_messages import PageScreen, ViewedPage
from gossamer.model.outcome import Outcome
from gossamer.model.previous_crawl import PreviousCrawlReference
from gossamer.model.secrets import NO_SECRETS, NOTHING_SECRET, OriginSecrets, SecretNames, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.session.session_factory import NO_CHANGES
from gossamer.store import project
from gossamer.store.issue_ignoring import ignore_issues, stop_ignoring
from gossamer.store.project import stored_settings
from gossamer.store.reading.crawl_snapshot import read_identity
from gossamer.store.reading.reader import Reader
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from gossamer.model.lock_owner import LockOwner


class FakeInspection:
    """Answers with `source`, `rule` or `error`, once `gate` is set; `asked` says what for."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, ...]] = []
        self.text = ""
        self.spans: list[tuple[int, int]] = []
        self.rule = SelectorResult(0)
        read = PageFetchOutcome(Outcome.FILE, 200, is_read=True)
        self.page = PageContents(0, "", read)
        self.stored = StoredSource(0, "")
        self.viewed = ViewedPage(0, "")
        self.compared = PageComparison(0, "", "", read, read)
        self.page_images = PageImages(0, "", read)
        self.image_files: dict[str, ImageFile] = {}
        self.rendered = RenderingReport(0, "", read)
        self.stored_doms = StoredDomComparison(0, "")
        self.loads: list[LoadReport] = []
        """What comes of each load, one after the other."""
        self.suggestions: list[str] = []
        self.error: KnownError | None = None
        self.gate = asyncio.Event()
        self.gate.set()

    async def suggest(self, word: str, dictionary: str) -> list[str]:
        self.asked.append((word, dictionary))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return self.suggestions

    async def source(self, url: str, target: str = "", *, again: bool = False) -> PageSource:
        self.asked.append((url, target, "again" if again else ""))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return PageSource(0, url, Outcome.FILE, 200, "OK", text=self.text, spans=self.spans)

    async def stored_source(
        self, url: str, record: ArchiveRecord, *, compare: bool = False, again: bool = False
    ) -> StoredSource:
        self.asked.append(
            (url, record.file, "compare" if compare else "", "again" if again else "")
        )
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return replace(self.stored, url=url)

    async def stored_page(
        self, url: str, record: ArchiveRecord, _screen: PageScreen | None = None
    ) -> ViewedPage:
        self.asked.append((url, record.file, "view"))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return replace(self.viewed, url=url)

    async def contents(self, url: str, *, again: bool = False) -> PageContents:
        self.asked.append((url, "again" if again else "", "contents"))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return replace(self.page, url=url)

    async def comparison(self, url: str, other: str) -> PageComparison:
        self.asked.append((url, other, "comparison"))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return replace(self.compared, url=url, other=other)

    async def images(self, url: str, *, again: bool = False) -> PageImages:
        self.asked.append((url, "again" if again else "", "images"))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return replace(self.page_images, url=url)

    async def image_file(self, url: str) -> ImageFile:
        self.asked.append((url, "image"))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return self.image_files.get(url) or ImageFile(0, url, PageFetchOutcome(Outcome.TIMEOUT))

    async def stored_dom(
        self, url: str, html: ArchiveRecord, dom: ArchiveRecord
    ) -> StoredDomComparison:
        self.asked.append((url, html.file, dom.file, "DOM"))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return replace(self.stored_doms, url=url)

    async def rendering(self, url: str, dom: ArchiveRecord | None = None) -> RenderingReport:
        self.asked.append((url, "rendering") if dom is None else (url, "rendering", dom.file))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return replace(self.rendered, url=url)

    async def load(self, url: str, runs: int) -> LoadReport:
        self.asked.append((url, f"{runs} loads"))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return replace(self.loads.pop(0), url=url)

    async def test_rule(self, selector: str) -> SelectorResult:
        self.asked.append((selector,))
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        return self.rule


class FakeSession:
    """Does at once what it is asked, and writes it down in `asked`.

    `gate`, when set, is awaited by `close`, so that a test can see the window closing.
    """

    def __init__(self, path: Path, settings: CrawlSettings) -> None:
        self.path = path
        self.settings = settings
        self.progress = Progress(state=CrawlState.NEW)
        self.asked: list[str] = []
        self.inspection = FakeInspection()
        self.actions: list[tuple[BulkActionKind, Some]] = []
        self.changed: list[dict[str, object]] = []
        self.given: list[OriginSecrets] = []
        self.logins: list[Secrets] = []
        self.missing_secrets: tuple[SecretNames, ...] = ()
        self.secrets_for_recrawl = NO_SECRETS
        self.held_by: LockOwner | None = None
        self.replaced: asyncio.Event | None = None
        """Is set where another file takes its place."""
        self.audits = 0
        self.audit_gate: asyncio.Event | None = None
        """While it is not set, an audit runs on."""
        self.audit_error: KnownError | None = None
        self.gate: asyncio.Event | None = None
        self.is_examining = False
        """Whether a change of the login was begun."""
        self.saves: Iterator[bool] = iter(())
        """What `is_saving` says, one time after the other; then it is not."""
        self.start_error: KnownError | None = None
        self.renews_login = False
        """Whether it logs in again by itself."""
        self.renewal_error: KnownError | None = None
        self.resumed = CrawlState.RUNNING
        """The state that a start leads to."""
        self._news: asyncio.Queue[Progress | Trouble | None] = asyncio.Queue(100)

    @property
    def state(self) -> CrawlState:
        return self.progress.state

    def give(self, secrets: OriginSecrets) -> None:
        self.given.append(secrets)
        self.missing_secrets = ()

    async def remember_secrets(self) -> None:
        self.asked.append("remember")

    async def audit(self, on_step: Callable[[ProcessStep], None]) -> None:
        self.audits += 1
        on_step(ProcessStep("Duplicates", 1, 4))
        if self.audit_gate is not None:
            await self.audit_gate.wait()
        if self.audit_error is not None:
            raise self.audit_error

    async def ignore(self, ignored: Sequence[IgnoredIssue]) -> None:
        ignore_issues(self.path, ignored)

    async def stop_ignoring(self, ignored: Sequence[IgnoredIssue]) -> None:
        stop_ignoring(self.path, ignored)

    def ensure_free(self) -> None:
        """Nobody else ever crawls it."""

    async def updates(self) -> AsyncIterator[Progress | Trouble]:
        yield self.progress
        while (news := await self._news.get()) is not None:
            yield news

    async def observe(self) -> bool:
        """What others do is set by the test: see `held_by`, and `replaced`."""
        return self.replaced is not None and await self.replaced.wait()

    def tell(self, **counters: object) -> None:
        """Send new counters."""
        self.progress = msgspec.structs.replace(self.progress, **counters)
        self._news.put_nowait(self.progress)

    def die(self, sentence: str, *, again: bool = False) -> None:
        """The crawl process ends by itself."""
        self.progress = msgspec.structs.replace(self.progress, state=CrawlState.FAILED)
        self._news.put_nowait(Trouble(Translatable(sentence), 4, again))

    async def start(self, workers: int | None = None) -> None:
        self.asked.append("start" if workers is None else f"start {workers}")
        if self.start_error is not None:
            raise self.start_error
        self.tell(state=self.resumed)

    async def pause(self, *, now: bool = False) -> None:
        self.asked.append("pause now" if now else "pause")
        self.tell(state=CrawlState.PAUSED if now else CrawlState.PAUSING)

    async def resume(self) -> None:
        self.asked.append("resume")
        self.tell(state=CrawlState.RUNNING)

    async def cancel(self) -> None:
        self.asked.append("cancel")
        self.tell(state=CrawlState.CANCELLED)

    async def perform(self, kind: BulkActionKind, selection: Some) -> None:
        self.actions.append((kind, selection))

    async def renew_login(self) -> bool:
        self.asked.append("renew login")
        if self.renewal_error is not None:
            raise self.renewal_error
        if self.renews_login:
            self.tell(state=CrawlState.RUNNING, login_url="", notice=None)
        return self.renews_login

    async def change(self, changes: Mapping[str, object], secrets: Secrets = NO_SECRETS) -> None:
        if secrets:
            self.logins.append(secrets)
            if self.gate is not None:  # all that is known is examined first
                self.is_examining = True
                await self.gate.wait()
            self.settings = msgspec.structs.replace(self.settings, **changes)
            return
        self.changed.append(dict(changes))
        self.settings = msgspec.structs.replace(self.settings, **changes)

    async def set_workers(self, workers: int) -> None:
        self.asked.append(f"workers {workers}")

    def interrupt(self) -> None:
        if self.is_examining and self.gate is not None:
            self.asked.append("interrupt")
            self.gate.set()

    async def close(self, timeout_s: float = 5.0) -> None:
        del timeout_s
        self.asked.append("close")
        if self.gate is not None:
            await self.gate.wait()
        if self.state in {CrawlState.RUNNING, CrawlState.PAUSING}:
            self.progress = msgspec.structs.replace(self.progress, state=CrawlState.PAUSED)
        self._news.put_nowait(None)

    @property
    def is_saving(self) -> bool:
        return next(self.saves, False)

    def force(self) -> None:
        self.asked.append("force")
        if self.gate is not None:
            self.gate.set()


class FakeLogin:
    """A browser window that is as open as the test says."""

    def __init__(self, settings: CrawlSettings, url: str) -> None:
        self.settings = settings
        self.url = url
        self.finished = asyncio.Event()
        self.closed = False
        """Whether it was cancelled."""
        self.refusal: UsageError | None = None
        self.found = NO_SECRETS
        self.seen = LoginSeen(0, 0)

    async def run(
        self,
        on_opened: Callable[[], None] = lambda: None,
        on_seen: Callable[[LoginSeen], None] = lambda _: None,
    ) -> Secrets:
        try:
            await asyncio.sleep(0)
            if self.refusal is not None:
                raise self.refusal
            on_opened()
            on_seen(self.seen)
            await self.finished.wait()
        except asyncio.CancelledError:
            self.closed = True
            raise
        return self.found

    def finish(self) -> None:
        self.finished.set()


class FakeFormLogin:
    """A site whose pages have the forms that the test says, one after the other."""

    def __init__(self, settings: CrawlSettings) -> None:
        self.settings = settings
        self.forms: list[PageForm] = []
        """The forms of the first page."""
        self.following: list[PageForm | UsageError | None] = []
        """What comes of each form that is sent."""
        self.asked: list[str] = []
        self.typed: list[dict[str, str]] = []
        self.steps: list[FormStep] = []
        self.is_open = False
        self.secrets = NO_SECRETS

    @property
    def recorded(self) -> LoginForm:
        return LoginForm(page=self.asked[-1], steps=tuple(self.steps))

    async def __aenter__(self) -> Self:
        self.is_open = True
        return self

    async def __aexit__(self, *_: object) -> None:
        self.is_open = False

    async def find(self, url: str) -> list[PageForm]:
        self.asked.append(url)
        if not self.forms:
            raise UsageError("The HTML of {url} has no login form.", url=url)
        return self.forms

    async def submit(
        self, form: PageForm, step: FormStep, values: Mapping[str, str]
    ) -> PageForm | None:
        assert form
        self.typed.append(dict(values))
        following = self.following.pop(0)
        if isinstance(following, UsageError):
            raise following
        self.steps.append(step)
        return following


class FakeSessions:
    """Makes FakeSessions on real, empty project files, or refuses with `refusal`.

    `made` has them in order.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.made: list[FakeSession] = []
        self.handed_over: list[Secrets] = []
        """The secrets that recrawls begin with."""
        self.refusal: KnownError | None = None
        self.start_error: KnownError | None = None
        self.replaced: asyncio.Event | None = None
        """Of the next one that is opened."""
        self.held_by: LockOwner | None = None
        self.remembered: set[str] = set()
        self.stored = CrawlSettings(roots=("kept.example",), workers=7)
        """What every project that is opened holds."""
        self.reopened = Progress(state=CrawlState.PAUSED, fetched=3, queued=4)
        """Its counters."""
        self.keyring_error: KnownError | None = None
        self.login_windows: list[FakeLogin] = []
        self.login_refusal: UsageError | None = None
        self.form_logins: list[FakeFormLogin] = []

    @property
    def last(self) -> FakeSession:
        return self.made[-1]

    def create(
        self,
        settings: CrawlSettings,
        path: Path | None = None,
        secrets: OriginSecrets = NOTHING_SECRET,
        *,
        bound: Secrets = NO_SECRETS,
        previous: Path | None = None,
        begins_series: bool = False,
    ) -> FakeSession:
        assert not begins_series
        if self.refusal is not None:
            raise self.refusal
        settings.checked()
        file = path or self._folder / f"crawl {len(self.made)}.gossamer"
        series = ""
        with suppress(ProjectError):  # where it cannot be read, as the real one does
            series = read_identity(previous)[0] if previous is not None else ""
        project.create(file, settings, None, series)
        session = self._made(FakeSession(file, settings))
        session.given.append(secrets)
        session.logins += [bound] if bound else []
        return session

    def create_recrawl(
        self,
        base: Path,
        path: Path | None = None,
        changes: Mapping[str, object] = NO_CHANGES,
        *,
        bound: Secrets = NO_SECRETS,
    ) -> FakeSession:
        self.handed_over.append(bound)
        wanted = replace(stored_settings(base), **changes)
        file = path or self._folder / f"crawl {len(self.made)}.gossamer"
        with Reader(base) as reader:
            reference = PreviousCrawlReference(str(base), reader.summary().created_at)
        project.create(file, wanted, reference)
        return self._made(FakeSession(file, wanted))

    def form_login(self, settings: CrawlSettings, secrets: Secrets) -> FakeFormLogin:
        assert not secrets
        self.form_logins.append(FakeFormLogin(settings))
        return self.form_logins[-1]

    def login(self, settings: CrawlSettings, secrets: Secrets, url: str = "") -> FakeLogin:
        del secrets
        made = FakeLogin(settings, url)
        made.refusal = self.login_refusal
        self.login_windows.append(made)
        return made

    async def forget_secrets(self, origins: Iterable[str]) -> tuple[str, ...]:
        if self.keyring_error is not None:
            raise self.keyring_error
        forgotten = tuple(origin for origin in origins if origin in self.remembered)
        self.remembered.difference_update(forgotten)
        return forgotten

    def open(self, path: Path) -> FakeSession:
        if self.refusal is not None:
            raise self.refusal
        if not path.exists():
            raise ProjectError(f"There is no project {path.name}; choose another file.")
        session = self._made(FakeSession(path, self.stored))
        session.progress = self.reopened
        session.held_by = self.held_by
        session.replaced, self.replaced = self.replaced, None
        return session

    def _made(self, session: FakeSession) -> FakeSession:
        session.start_error = self.start_error
        self.made.append(session)
        return session


class FakeDemo:
    """A demo site that is never served; `events` says when it would have been."""

    def __init__(self) -> None:
        self.events: list[str] = []

    @asynccontextmanager
    async def __call__(self) -> AsyncIterator[str]:
        self.events.append("served")
        try:
            yield "http://127.0.0.1:8000/"
        finally:
            self.events.append("ended")


class FakeExporter:
    """Has a preview of two rows, which waits while `look` is clear.

    Writing reports half and waits for `go`, then writes "x". An audit, without which `audited` is
    False, reports a step, waits for `audit_ended`, and makes it true unless it is cancelled.

    `requests` and `selections` say what was asked for, `threads` where. `error`, when set, is
    raised instead of writing, `refusal` instead of a preview.
    """

    def __init__(self) -> None:
        self.go = threading.Event()
        self.look = threading.Event()
        self.look.set()
        self.audited = True
        self.audit_ended = asyncio.Event()
        self.audits = 0
        self.error: KnownError | None = None
        self.refusal: KnownError | None = None
        self.requests: list[Request] = []
        self.selections: list[ExportSelection] = []
        self.threads: set[str] = set()
        self.left_out: dict[str, int] = {}
        self.chosen: tuple[str, ...] = ("A", "B", "C")
        self.rows_in_all, self.is_exact = 1234, True

    def write(
        self,
        project: Path,
        request: Request,
        *,
        progress: Callable[[int, int], None],
        cancelled: Callable[[], bool],
    ) -> ExportResult:
        del project
        self.threads.add(threading.current_thread().name)
        self.requests.append(request)
        progress(617, 1234)
        self.go.wait(PATIENCE_S)
        if self.error is not None:
            raise self.error
        if cancelled():
            raise ExportCancelled
        if isinstance(request, BundleRequest) and not request.is_workbook:
            request.out.mkdir(exist_ok=True)
            return ExportResult(1234, (request.out / "1.csv", request.out / "2.csv", request.out))
        request.out.write_text("x", "utf-8")
        return ExportResult(1234, (request.out,), self.left_out)

    def ensure_archive(self, project: Path) -> None:
        del project
        self.threads.add(threading.current_thread().name)
        if self.refusal is not None:
            raise self.refusal

    def is_audited(self, project: Path) -> bool:
        del project
        self.threads.add(threading.current_thread().name)
        return self.audited

    async def audit(self, on_step: Callable[[ProcessStep], None]) -> None:
        self.audits += 1
        on_step(ProcessStep("Links", 1, 4))
        await self.audit_ended.wait()

    def cancel_audit(self) -> None:
        self.audit_ended.set()

    def preview(
        self, project: Path, selection: ExportSelection, rows: int, *, cancelled: Callable[[], bool]
    ) -> Preview:
        del project, rows
        self.threads.add(threading.current_thread().name)
        self.selections.append(selection)
        self.look.wait(PATIENCE_S)
        if self.refusal is not None:
            raise self.refusal
        if cancelled():
            raise ExportCancelled
        columns = ("A", "B", "C")
        first = (("one", 1, None), ("two", 2, "x"))
        return Preview(columns, self.chosen, first, self.rows_in_all, is_exact=self.is_exact)
