"""Owns the window's one crawl session: sends commands to it and signals its reports.

All waiting is in tasks; slots return at once. Widgets connect to signals, and never keep a session.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Final

import msgspec
from PySide6.QtCore import QObject, Signal

from gossamer.audit.over_budget_report import raised
from gossamer.gui.crawl.project_opening import is_under_way, opened_project
from gossamer.gui.crawl.session_interfaces import (
    NO_ACCESS,
    FormLoginPort,
    LoginPort,
    SessionFactoryPort,
    SessionPort,
    TypedCredentials,
)
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.text.translated_sentences import listed, spoken
from gossamer.model.crawl_state import LIVE, Command, CrawlState, allowed
from gossamer.model.errors import KnownError
from gossamer.model.messages.crawl_messages import BulkActionKind, Trouble, UrlSelection
from gossamer.model.secrets import Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_secrets import is_form_of_site
from gossamer.session.demo_process import demo_settings

_START: Final = "start crawl"
ServeDemo = Callable[[], AbstractAsyncContextManager[str]]
"""Starts the demo site and yields its URL; see `gossamer.session.demo_process.demo_site`."""


class CrawlController(QObject):
    """Controls at most one session: starts, opens and closes it, and sends it commands.

    `opened` carries the session, or None when there is no project any more; `progressed` a
    Progress; `troubled` the sentence, a Said, of a crawl process that ended by itself; `refused`
    why a new crawl could not begin; `not_renewed` why it could not log in again; `performed` kind
    and selection of a bulk action; `forgot` the result of `forget`; `changed` names of settings.
    """

    opened = Signal(object)
    progressed = Signal(object)
    troubled = Signal(object)
    refused = Signal(object)
    not_renewed = Signal(object)
    performed = Signal(object, object)
    forgot = Signal(str)
    changed = Signal(object)

    def __init__(self, sessions: SessionFactoryPort, demo: ServeDemo, tasks: WindowTasks) -> None:
        super().__init__()
        self._sessions = sessions
        self._demo = demo
        self._tasks = tasks
        self._session: SessionPort | None = None
        self._changing = asyncio.Lock()
        self._demo_over: asyncio.Event | None = None
        self._began_here = False
        self.is_renewing = False  # whether the crawl that was put aside is shown again, rebuilt

    @property
    def session(self) -> SessionPort | None:
        """The session of the project shown, if there is one."""
        return self._session

    @property
    def state(self) -> CrawlState:
        """The state of the crawl; NEW without a project."""
        return CrawlState.NEW if self._session is None else self._session.state

    @property
    def is_elsewhere(self) -> bool:
        """Whether another process crawls the project shown: it can only be read here."""
        return self._session is not None and self._session.held_by is not None

    @property
    def allowed(self) -> frozenset[Command]:
        """The commands that are allowed now."""
        return allowed(self.state, elsewhere=self.is_elsewhere)

    @property
    def is_demo(self) -> bool:
        """Whether the crawl shown is of the demo site, which ends with it."""
        return self._demo_over is not None

    @property
    def began_here(self) -> bool:
        """Whether the crawl shown was begun in this window, and not opened."""
        return self._began_here

    def start(self, settings: CrawlSettings, access: TypedCredentials = NO_ACCESS) -> None:
        """Put the crawl shown aside and begin a new one: of the same roots, in its series."""
        if _START not in self._tasks.names():  # Enter was pressed twice
            self._tasks.start(_START, self._start(settings, access))

    def new_login(self, settings: CrawlSettings, secrets: Secrets, url: str = "") -> LoginPort:
        """A browser window to log in, not yet open; it shows `url`, or the first root."""
        return self._sessions.login(settings, secrets, url)

    def new_form_login(self, settings: CrawlSettings, secrets: Secrets) -> FormLoginPort:
        """A login with a form for a crawl with these settings, not yet begun."""
        return self._sessions.form_login(settings, secrets)

    def give(self, access: TypedCredentials) -> None:
        """Give the crawl shown secrets that it may need when it continues."""
        if (session := self._session) is None or not access:
            return
        if access.secrets:
            session.give(access.secrets)
        if access.login:
            self._tasks.start("use login", self._use_login(session, access))
        else:
            self._keep(session, access)

    def go_on_with_login(self, access: TypedCredentials) -> None:
        """Have the crawl shown, which waits for a login, continue with this one."""
        if self._session is not None:
            self._tasks.start("use login", self._use_login(self._session, access, go_on=True))

    def forget(self, origins: Sequence[str]) -> None:
        """Remove the secrets for `origins` from the system's keyring; `forgot` has the outcome."""
        self._tasks.start("forget secrets", self._forget(origins))

    def start_demo(self, settings: CrawlSettings) -> None:
        """Begin a crawl of the bundled demo site; it is served until another crawl is shown."""
        if not self._changing.locked():
            self._tasks.start("demo site", self._start_demo(settings))

    def open(self, path: Path, *, go_on: bool = False) -> None:
        """Show an existing project; with `go_on`, continue its crawl too."""
        self._tasks.start("open project", self.show(path, go_on=go_on))

    def begin(self, make: Callable[[SessionFactoryPort], SessionPort]) -> None:
        """Put the crawl shown aside, and crawl with the session that `make`, on a thread, makes."""
        change = self._replace(lambda: make(self._sessions), begins=True, go_on=True)
        self._tasks.start("begin crawl", self._refusing(change))

    def leave(self) -> None:
        """Put the crawl shown aside, paused and kept, and show none."""
        self._tasks.start("leave project", self.put_aside())

    def delete(self, path: Path, delete: Callable[[Path], None]) -> None:
        """Put the crawl shown aside, show none, and have the project at `path` deleted."""
        self._tasks.start("delete project", self._delete(path, delete))

    def command(self, command: Command, workers: int | None = None) -> None:
        """Ask the session for `command` if allowed; a crawl continues with so many `workers`."""
        if (session := self._session) is not None and command in self.allowed:
            self._tasks.start(f"{command} crawl", self._ask(session, command, workers))

    def set_workers(self, workers: int) -> None:
        """Change the number of workers of a running crawl."""
        if (session := self._session) is not None and is_under_way(session):
            self._tasks.start("set workers", session.set_workers(workers))

    def cancel_url(self, url_id: int) -> None:
        """Cancel one URL of the crawl."""
        self.perform(BulkActionKind.CANCEL, UrlSelection(ids=(url_id,)))

    def perform(self, kind: BulkActionKind, selection: UrlSelection) -> None:
        """Crawl some URLs again, cancel, exclude or hold them back, ..."""
        if self._session is not None:
            self._tasks.start(f"{kind} URLs", self._perform(self._session, kind, selection))

    def change(self, changes: Mapping[str, object]) -> None:
        """Continue with other settings, by name: `changed` carries the names when it does."""
        if self._session is not None and changes:
            self._tasks.start("change settings", self._change(self._session, changes))

    def trust(self, server: str) -> None:
        """Do not check the certificate of a server, "host:port", in this crawl; try it again."""
        if (session := self._session) is not None:
            servers = tuple(dict.fromkeys((*session.settings.insecure_hosts, server)))
            self._tasks.start("trust", self._go_on(session, insecure_hosts=servers))

    def raise_trap_limit(self) -> None:
        """Continue with what was left out because pages that look alike only led to each other."""
        if (session := self._session) is not None:
            limit = raised(session.settings.max_similar)
            self._tasks.start("raise trap limit", self._go_on(session, max_similar=limit))

    def check_certificates(self) -> None:
        """Check every certificate from now on."""
        if self._session is not None:
            work = self._go_on(self._session, starts=False, insecure_hosts=())
            self._tasks.start("check certificates", work)

    async def close(self) -> None:
        """Pause now, commit, end the crawl process. For the end of the program."""
        if self._session is not None:  # a change may wait for its login
            self._session.interrupt()
        async with self._changing:
            await self._put_aside()

    def is_saving(self) -> bool:
        """Whether the crawl process is to end, and commits first."""
        return self._session is not None and self._session.is_saving

    def force(self) -> None:
        """End the crawl process at once."""
        if self._session is not None:
            self._session.force()

    async def _perform(
        self, session: SessionPort, kind: BulkActionKind, selection: UrlSelection
    ) -> None:
        await session.perform(kind, selection)
        self._report(session)
        if session is self._session:
            self.performed.emit(kind, selection)

    async def _change(self, session: SessionPort, changes: Mapping[str, object]) -> None:
        await session.change(changes)
        if session is self._session:
            self.changed.emit(tuple(changes))
        self._report(session)

    async def _go_on(self, session: SessionPort, *, starts: bool = True, **changes: object) -> None:
        before = session.state
        await session.change(changes)
        if starts and session.state in {before, CrawlState.FINISHED} - LIVE:  # not cancelled
            await session.start()
        self._report(session)

    async def _ask(self, session: SessionPort, command: Command, workers: int | None) -> None:
        match command:
            case Command.PAUSE | Command.PAUSE_NOW:
                await session.pause(now=command is Command.PAUSE_NOW)
            case Command.RESUME if session.state is CrawlState.PAUSING:
                await session.resume()
            case Command.RESUME:
                await session.start(workers)
            case Command.CANCEL:
                await session.cancel()
        self._report(session)

    async def _use_login(
        self, session: SessionPort, access: TypedCredentials, *, go_on: bool = False
    ) -> None:
        """Have the crawl use a login; with `go_on`, a paused one also continues."""
        async with self._changing:
            before = session.state
            await session.change(access.changes, access.login)
            if go_on and session.state in {before, CrawlState.PAUSED}:  # not cancelled meanwhile
                await session.start()
        self._keep(session, access)
        self._report(session)

    def _keep(self, session: SessionPort, access: TypedCredentials) -> None:
        if access.remember and access:
            self._tasks.start("remember secrets", session.remember_secrets())

    async def _forget(self, origins: Sequence[str]) -> None:
        try:
            forgotten = await self._sessions.forget_secrets(origins)
        except KnownError as e:
            self.forgot.emit(spoken(e.said))
            return
        sentence = self.tr("No credentials are stored for {sites}.")
        if forgotten:
            sentence = self.tr("Removed the stored credentials for {sites}.")
        self.forgot.emit(sentence.format(sites=listed(forgotten or origins)))

    async def _start(
        self,
        settings: CrawlSettings,
        access: TypedCredentials,
        demo_over: asyncio.Event | None = None,
    ) -> bool:
        form = access.login_form or settings.login_form
        if form is not None and not is_form_of_site(form, settings.roots):
            form = None  # of a crawl of another site, whose settings were taken over
        wanted = msgspec.structs.replace(settings, login_form=form)
        old = self._session
        previous = old.path if old is not None and old.settings.roots == wanted.roots else None

        def make() -> SessionPort:
            return self._sessions.create(
                wanted, secrets=access.secrets, bound=access.login, previous=previous
            )

        return await self._refusing(
            self._replace(make, begins=True, go_on=True, demo_over=demo_over, access=access)
        )

    async def show(self, path: Path, *, go_on: bool = False) -> bool:
        """Show an existing project, as `open` does; whether it could be opened."""
        sessions = self._sessions
        change = self._replace(lambda: opened_project(sessions, self._session, path), go_on=go_on)
        return await self._refusing(change)

    async def put_aside(self, *, renews: bool = False) -> None:
        """Pause and keep the crawl shown, and show none; `renews`: until its file is another."""
        async with self._changing:
            await self._put_aside()
            self.is_renewing = renews
            self.opened.emit(None)

    async def _delete(self, path: Path, delete: Callable[[Path], None]) -> None:
        async with self._changing:
            await self._put_aside()
            try:
                await asyncio.to_thread(delete, path)
            finally:
                self.opened.emit(None)

    async def _start_demo(self, settings: CrawlSettings) -> None:
        async with self._demo() as url:
            over = asyncio.Event()
            if await self._start(demo_settings(settings, url), NO_ACCESS, over):
                await over.wait()

    async def _replace(
        self,
        make: Callable[[], SessionPort],
        *,
        go_on: bool,
        begins: bool = False,
        demo_over: asyncio.Event | None = None,
        access: TypedCredentials = NO_ACCESS,
    ) -> None:
        async with self._changing:
            # The new session first: if it cannot be, the old one stays as it is.
            session, old = await asyncio.to_thread(make), self._session
            if session is old:
                if go_on and session.state is CrawlState.PAUSED:
                    await session.start()
                return
            is_again = old is not None and session.settings.roots == old.settings.roots
            if is_again and demo_over is None:  # the demo site is served for this crawl, too
                demo_over, self._demo_over = self._demo_over, None
            await self._put_aside()
            self._session, self._demo_over = session, demo_over
            self._began_here, self.is_renewing = begins, False
            self.opened.emit(session)
            self._tasks.start("follow updates", self._follow(session))
            self._tasks.start("observe", self._observe(session))
            self._keep(session, access)
            if go_on:
                await session.start()
            self._report(session)

    async def _put_aside(self) -> None:
        if self._session is not None:
            await self._session.close()
            self._session = None
        if self._demo_over is not None:
            self._demo_over.set()
            self._demo_over = None

    async def _observe(self, session: SessionPort) -> None:
        if await session.observe() and session is self._session:  # its rows have other ids now
            change = self._replace(lambda: self._sessions.open(session.path), go_on=False)
            self._tasks.start("open project", self._refusing(change))

    async def _follow(self, session: SessionPort) -> None:
        async for update in session.updates():
            if session is not self._session:
                continue
            if isinstance(update, Trouble):
                self.troubled.emit(update.sentence)
                self._report(session)
                if update.again:
                    self.command(Command.RESUME)
            else:
                self.progressed.emit(update)
                if update.login_url and "renew login" not in self._tasks.names():
                    self._tasks.start("renew login", self._renew_login(session))

    async def _renew_login(self, session: SessionPort) -> None:
        """Have a crawl whose login has expired log in again by itself, if it can."""
        if session.state is not CrawlState.PAUSED:
            return
        try:
            await session.renew_login()
        except KnownError as e:
            self.not_renewed.emit(e.said)
        self._report(session)

    def _report(self, session: SessionPort) -> None:
        """Show a change of state at once: the next counters may be 100 ms away."""
        if session is self._session:
            self.progressed.emit(msgspec.structs.replace(session.progress, state=session.state))

    async def _refusing(self, change: Coroutine[Any, Any, None]) -> bool:
        """Whether `change` was made; if not, the reason is reported."""
        try:
            await change
        except KnownError as e:
            self.refused.emit(e.said)
            return False
        return True
