"""Protocols for the parts of the session API that the window uses; tests supply fakes.

`gossamer.session.CrawlSession` is one; its contracts are documented there.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.crawl_state import CrawlState
from gossamer.model.html_forms import PageForm
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.model.lock_owner import LockOwner
from gossamer.model.login_form import FormStep, LoginForm
from gossamer.model.messages.crawl_messages import BulkActionKind, Progress, Trouble, UrlSelection
from gossamer.model.messages.inspection_messages import PageSource, SelectorResult, StoredSource
from gossamer.model.messages.login_messages import LoginSeen
from gossamer.model.messages.page_contents_messages import PageComparison, PageContents
from gossamer.model.messages.page_image_messages import ImageFile, PageImages
from gossamer.model.messages.page_load_messages import LoadReport
from gossamer.model.messages.page_rendering_messages import RenderingReport, StoredDomComparison
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.messages.stored_page_messages import PageScreen, ViewedPage
from gossamer.model.secrets import NO_SECRETS, NOTHING_SECRET, OriginSecrets, SecretNames, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings


@dataclass(frozen=True, slots=True)
class TypedCredentials:
    """Secrets as typed, those of a login, and whether to save them in the system's keyring."""

    secrets: OriginSecrets = NOTHING_SECRET
    remember: bool = False
    login: Secrets = NO_SECRETS
    login_form: LoginForm | None = None
    """The form of that login, if it was one."""

    def __bool__(self) -> bool:
        return bool(self.secrets or self.login)

    @property
    def changes(self) -> dict[str, object]:
        """The settings that go with them, by name."""
        return {} if self.login_form is None else {"login_form": self.login_form}


NO_ACCESS: Final = TypedCredentials()


class PageInspectorPort(Protocol):
    """Looks at one page at a time; see `gossamer.session.page_inspection`."""

    async def source(self, url: str, target: str = "", *, again: bool = False) -> PageSource:
        """The response for `url`, and the positions of links to `target` in it."""

    async def stored_source(
        self, url: str, record: ArchiveRecord, *, compare: bool = False, again: bool = False
    ) -> StoredSource:
        """What the archive has of `url`, next to the server's response; UsageError if nothing."""

    async def stored_dom(
        self, url: str, html: ArchiveRecord, dom: ArchiveRecord
    ) -> StoredDomComparison:
        """HTML and DOM of `url` in the archive; UsageError if it has not both."""

    async def stored_page(
        self, url: str, record: ArchiveRecord, screen: PageScreen | None = None
    ) -> ViewedPage:
        """What the archive has of the page `url`, as a browser shows it on a `screen`, or its text.

        UsageError if nothing.
        """

    async def contents(self, url: str, *, again: bool = False) -> PageContents:
        """The structured data of `url`."""

    async def comparison(self, url: str, other: str) -> PageComparison:
        """The texts of two pages side by side."""

    async def images(self, url: str, *, again: bool = False) -> PageImages:
        """The images in the source of `url`."""

    async def image_file(self, url: str) -> ImageFile:
        """The file of the image at `url`, with its bytes."""

    async def rendering(self, url: str, dom: ArchiveRecord | None = None) -> RenderingReport:
        """What a browser makes of `url`, beside the archived `dom`.

        UsageError if the chosen browser is missing.
        """

    async def load(self, url: str, runs: int) -> LoadReport:
        """How `url` loads, measured this many times; UsageError if there is no browser."""

    async def test_rule(self, selector: str) -> SelectorResult:
        """What a CSS selector matches in the last source."""

    async def suggest(self, word: str, dictionary: str) -> list[str]:
        """Suggestions of a dictionary for a word that it does not know."""


class LoginPort(Protocol):
    """A browser window in which somebody logs in; see `gossamer.session.login`."""

    async def run(
        self,
        on_opened: Callable[[], None] = ...,
        on_seen: Callable[[LoginSeen], None] = ...,
    ) -> Secrets:
        """What the browser knows when the user has finished; UsageError without a window."""

    def finish(self) -> None:
        """The user has logged in."""


class FormLoginPort(Protocol):
    """A login with a form; see `gossamer.session.form_login`. Used with `async with`."""

    @property
    def recorded(self) -> LoginForm:
        """The forms that have been sent."""

    @property
    def secrets(self) -> Secrets:
        """What was typed into them, and the cookies."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None: ...

    async def find(self, url: str) -> list[PageForm]:
        """The forms that may log somebody in; UsageError if there is none."""

    async def submit(
        self, form: PageForm, step: FormStep, values: Mapping[str, str]
    ) -> PageForm | None:
        """Send a form; returns the next one, None when logged in; UsageError if it failed."""


class SessionPort(Protocol):
    """One project file and one crawl; see `gossamer.session.CrawlSession`."""

    @property
    def path(self) -> Path:
        """The project file."""

    @property
    def settings(self) -> CrawlSettings:
        """The settings stored in the project."""

    @property
    def state(self) -> CrawlState:
        """The state of the crawl."""

    @property
    def progress(self) -> Progress:
        """The last counters known."""

    @property
    def inspection(self) -> PageInspectorPort:
        """Looks at single pages, whatever the state of the crawl."""

    @property
    def held_by(self) -> LockOwner | None:
        """Who else crawls the project, as far as is known; None if it can be crawled here."""

    @property
    def missing_secrets(self) -> tuple[SecretNames, ...]:
        """The secrets that the crawl needs and that nobody has given."""

    @property
    def secrets_for_recrawl(self) -> Secrets:
        """Its secrets, for another crawl of the same project."""

    async def audit(self, on_step: Callable[[ProcessStep], None]) -> None:
        """Bring the results of the site audit up to date; KnownError if that fails."""

    async def ignore(self, ignored: Sequence[IgnoredIssue]) -> None:
        """Ignore issues from now on; KnownError if that cannot be written."""

    async def stop_ignoring(self, ignored: Sequence[IgnoredIssue]) -> None:
        """Have them count again."""

    def give(self, secrets: OriginSecrets) -> None:
        """Store secrets for the next start."""

    async def remember_secrets(self) -> None:
        """Save the secrets in the system's keyring; UsageError if it refuses them."""

    def updates(self) -> AsyncIterator[Progress | Trouble]:
        """Counters and troubles as they come; ends when the session is closed."""

    async def observe(self) -> bool:
        """Until `close`, follow what others do with the project; True if it was replaced."""

    async def start(self, workers: int | None = None) -> None:
        """Crawl, or continue to crawl, with another number of workers if one is given."""

    async def renew_login(self) -> bool:
        """Log in again and continue; False if that is left to the user."""

    async def pause(self, *, now: bool = False) -> None:
        """Start no new fetch; with `now`, put those in flight back too."""

    async def resume(self) -> None:
        """Go on after a pause."""

    async def cancel(self) -> None:
        """End the crawl; returns when nothing is sent any more."""

    async def perform(self, kind: BulkActionKind, selection: UrlSelection) -> None:
        """Crawl some URLs again, cancel, exclude or hold them back, ..."""

    async def change(self, changes: Mapping[str, object], secrets: Secrets = NO_SECRETS) -> None:
        """Continue with other settings, by name, and these secrets; UsageError with the reason."""

    async def set_workers(self, workers: int) -> None:
        """Change how many URLs are in flight at once."""

    def interrupt(self) -> None:
        """End what is about to start the crawl, such as a login."""

    async def close(self, timeout_s: float = 5.0) -> None:
        """Pause now, commit, end the crawl process."""

    @property
    def is_saving(self) -> bool:
        """Whether the crawl process is to end, and commits first."""

    def force(self) -> None:
        """End the crawl process at once."""


class SessionFactoryPort(Protocol):
    """Creates sessions. The class `CrawlSession` itself is one."""

    def create(
        self,
        settings: CrawlSettings,
        path: Path | None = None,
        secrets: OriginSecrets = NOTHING_SECRET,
        *,
        bound: Secrets = NO_SECRETS,
        previous: Path | None = None,
        begins_series: bool = False,
    ) -> SessionPort:
        """A session on a new project file; a KnownError has the sentence why not.

        The crawl continues the series of the project `previous`, unless it `begins_series`.
        """

    def create_recrawl(
        self,
        previous: Path,
        path: Path | None = None,
        changes: Mapping[str, object] = ...,
        *,
        bound: Secrets = NO_SECRETS,
    ) -> SessionPort:
        """A session on a new project that crawls the project `previous` again."""

    def login(self, settings: CrawlSettings, secrets: Secrets, url: str = "") -> LoginPort:
        """A browser window for logging in, not yet open; it shows `url` or the first root."""

    def form_login(self, settings: CrawlSettings, secrets: Secrets) -> FormLoginPort:
        """A login with a form, not yet begun."""

    async def forget_secrets(self, origins: Iterable[str]) -> tuple[str, ...]:
        """Remove the secrets for `origins` from the system's keyring; those it had any for."""

    def open(self, path: Path) -> SessionPort:
        """A session on an existing project file; ProjectError has the reason."""
