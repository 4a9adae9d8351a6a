"""A run of a session and what interrupts do to it, on a session that is written down here."""

import asyncio
import itertools
import signal
import sys
from collections.abc import AsyncIterator, Callable

import pytest
from msgspec.structs import replace

from gossamer.cli.foreground_crawl import SLOW_S, RunResult, crawl_to_end
from gossamer.cli.interrupt_signals import BOUNCE_S, calling_on_interrupt, noting_interrupt
from gossamer.cli.long_wait import LongWait
from gossamer.cli.progress_display import SilentDisplay
from gossamer.model.archive_loss import ArchiveLoss
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import ProjectError
from gossamer.model.messages.crawl_messages import Progress, Trouble
from gossamer.model.translatable import Translatable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="raises POSIX signals")


class FakeSession:
    """Tells the given news, and waits for `close` when there are no more."""

    def __init__(self, *news: Progress | Trouble) -> None:
        self.state = CrawlState.NEW
        self.progress = Progress(CrawlState.NEW)
        self.calls: list[str] = []
        self.was_forced = False
        self._news = news
        self._closed = asyncio.Event()

    async def start(self) -> None:
        self.calls.append("start")

    async def updates(self) -> AsyncIterator[Progress | Trouble]:
        for news in self._news:
            if isinstance(news, Progress):
                self.state, self.progress = news.state, news
            yield news
        await self._all_told()
        await self._closed.wait()

    async def renew_login(self) -> bool:
        self.calls.append("renew login")
        return False

    async def close(self) -> None:
        self.calls.append("close")
        self._closed.set()

    def force(self) -> None:
        self.calls.append("force")
        self.was_forced = True

    async def _all_told(self) -> None:
        """Nothing more: a subclass acts here."""


class InterruptedSession(FakeSession):
    """Is interrupted when it has told its news."""

    async def _all_told(self) -> None:
        signal.raise_signal(signal.SIGINT)


class StubbornSession(InterruptedSession):
    """Closes only when it is forced; is interrupted again meanwhile."""

    def __init__(self, again: Callable[[], None]) -> None:
        super().__init__(Progress(CrawlState.RUNNING))
        self._again = again
        self._forced = asyncio.Event()

    async def close(self) -> None:
        await super().close()
        self._again()
        await self._forced.wait()

    def force(self) -> None:
        super().force()
        self._forced.set()


def interrupt() -> None:
    signal.raise_signal(signal.SIGTERM)


def every_second() -> Callable[[], float]:
    """A clock that is a second later each time it is read."""
    seconds = itertools.count()
    return lambda: float(next(seconds))


def run(make: Callable[[], FakeSession], slow_s: float = SLOW_S) -> tuple[RunResult, FakeSession]:
    async def scenario() -> tuple[RunResult, FakeSession]:
        session = make()
        async with asyncio.timeout(10):
            return await crawl_to_end(session, SilentDisplay(), every_second(), slow_s), session

    return asyncio.run(scenario())


def test_a_crawl_that_pauses_by_itself_ends_the_run_and_says_why() -> None:
    running = Progress(CrawlState.RUNNING)
    paused = Progress(CrawlState.PAUSED, notice=Translatable("Paused: too many failures."))
    ending, session = run(lambda: FakeSession(running, paused))
    assert ending == RunResult(notice=Translatable("Paused: too many failures."))
    assert "close" in session.calls


def test_a_crawl_that_pauses_because_its_login_expired_wants_one() -> None:
    notice = Translatable("Paused: it asks for the login again.")
    paused = Progress(CrawlState.PAUSED, notice=notice, login_url="https://a.test/x")
    ending, _ = run(lambda: FakeSession(Progress(CrawlState.RUNNING), paused))
    assert ending == RunResult(notice=notice, wants_login=True)


class RenewedSession(FakeSession):
    """Logs in again by itself."""

    async def renew_login(self) -> bool:
        await super().renew_login()
        self.state = CrawlState.RUNNING
        return True


def test_a_crawl_that_logs_in_again_by_itself_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    notice = Translatable("Paused: it asks for the login again.")
    paused = Progress(CrawlState.PAUSED, notice=notice, login_url="https://a.test/x")
    finished = Progress(CrawlState.FINISHED)
    ending, session = run(lambda: RenewedSession(paused, finished))
    assert ending == RunResult()
    assert session.calls.count("renew login") == 1
    assert "logged in again" in capsys.readouterr().err


def test_a_crawl_that_pauses_for_a_while_is_waited_for_and_announced_once(
    capsys: pytest.CaptureFixture[str],
) -> None:
    waiting = Progress(
        CrawlState.PAUSED, notice=Translatable("The disk is full; free some space."), waits=True
    )
    again = Progress(CrawlState.PAUSED, notice=waiting.notice, waits=True, revision=1)
    ending, _ = run(
        lambda: FakeSession(
            *(Progress(CrawlState.RUNNING), waiting, again),
            *(Progress(CrawlState.RUNNING), Progress(CrawlState.FINISHED)),
        )
    )
    assert ending == RunResult()
    assert capsys.readouterr().err == (
        "gossamer: The disk is full; free some space."
        " The crawl is waiting and will resume automatically.\n"
        "gossamer: The crawl has resumed.\n"
    )


FULL = Progress(
    CrawlState.PAUSED, notice=Translatable("The disk is full; free some space."), waits=True
)


class WaitingSession(FakeSession):
    """Waits for room until `has_room`, which never comes if it is not set."""

    def __init__(self) -> None:
        super().__init__()
        self.has_room = asyncio.Event()

    async def updates(self) -> AsyncIterator[Progress | Trouble]:
        yield FULL
        yield replace(FULL, revision=1)
        await self.has_room.wait()
        yield Progress(CrawlState.RUNNING)
        self.state = CrawlState.FINISHED
        yield Progress(CrawlState.FINISHED)


def test_a_long_wait_is_reported_once_with_its_reason() -> None:
    reasons: list[Translatable] = []

    async def scenario() -> RunResult:
        session = WaitingSession()

        async def report(reason: Translatable) -> None:
            reasons.append(reason)
            session.has_room.set()

        async with asyncio.timeout(10):
            wait = LongWait(report, limit_s=0)
            return await crawl_to_end(session, SilentDisplay(), every_second(), long_wait=wait)

    assert asyncio.run(scenario()) == RunResult()
    assert reasons == [FULL.notice]


def test_a_wait_that_ends_soon_is_not_reported() -> None:
    async def report(reason: Translatable) -> None:
        raise AssertionError(reason)

    async def scenario() -> RunResult:
        session = WaitingSession()
        session.has_room.set()
        async with asyncio.timeout(10):
            return await crawl_to_end(
                session, SilentDisplay(), every_second(), long_wait=LongWait(report)
            )

    assert asyncio.run(scenario()) == RunResult()


def test_a_crawl_that_finishes_is_closed() -> None:
    ending, session = run(
        lambda: FakeSession(Progress(CrawlState.RUNNING), Progress(CrawlState.FINISHED))
    )
    assert ending == RunResult()
    assert session.calls[:2] == ["start", "close"]
    assert "force" not in session.calls


def test_trouble_ends_the_run_and_is_returned() -> None:
    trouble = Trouble(Translatable("The disk is full."), 4)
    ending, session = run(lambda: FakeSession(Progress(CrawlState.FAILED), trouble))
    assert ending == RunResult(trouble=trouble)
    assert "close" in session.calls


def test_a_process_that_hung_is_started_again(capsys: pytest.CaptureFixture[str]) -> None:
    ending, session = run(
        lambda: FakeSession(
            *(Progress(CrawlState.RUNNING), Progress(CrawlState.FAILED)),
            *(Trouble(Translatable("It hung."), 4, again=True), Progress(CrawlState.RUNNING)),
            Progress(CrawlState.FINISHED),
        )
    )
    assert ending == RunResult()
    assert session.calls[:2] == ["start", "start"]
    assert capsys.readouterr().err == "gossamer: It hung.\n"


def test_an_interrupt_saves_and_says_that_a_second_one_forces(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = Progress(CrawlState.RUNNING, silent_after_ms=12)  # by the host, when it has paused
    ending, session = run(lambda: InterruptedSession(told))
    assert ending == RunResult(interrupted=True)
    assert session.calls == ["start", "close"]
    assert capsys.readouterr().err == (
        "gossamer: Stopping; press Ctrl+C again to quit at once.\n"
        "gossamer: The last connection was closed after 12 ms.\n"
    )


def test_what_went_missing_from_the_archive_is_told_at_the_end(
    capsys: pytest.CaptureFixture[str],
) -> None:
    loss = ArchiveLoss(("a-1.warc.gz", "b\x1b-1.warc.gz"), 1234)
    _, session = run(
        lambda: InterruptedSession(Progress(CrawlState.RUNNING, archive_trouble=loss.said))
    )
    assert session.calls == ["start", "close"]
    assert capsys.readouterr().err.splitlines()[1] == (
        "gossamer: Files of the archive went missing or were cut short: a-1.warc.gz, "
        "b�-1.warc.gz. URLs without a record now: 1,234. Crawl the site again to keep them."
    )
    assert ArchiveLoss(("c",), 1).joined(loss) == ArchiveLoss((*loss.files, "c"), 1235)


def test_an_interrupt_while_starting_closes_too() -> None:
    class SlowToStart(FakeSession):
        async def start(self) -> None:
            await super().start()
            signal.raise_signal(signal.SIGINT)
            await asyncio.Event().wait()

    ending, session = run(SlowToStart)
    assert ending == RunResult(interrupted=True)
    assert session.calls == ["start", "close"]


def test_a_second_interrupt_forces() -> None:
    ending, session = run(lambda: StubbornSession(interrupt))
    assert ending == RunResult(interrupted=True, forced=True)
    assert session.calls == ["start", "close", "force"]


def test_slow_saving_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[str] = []

    class SlowSession(InterruptedSession):
        """Takes until it has been told that this takes long."""

        async def close(self) -> None:
            await super().close()
            while not told[1:]:
                await asyncio.sleep(0)
                told.extend(capsys.readouterr().err.splitlines())

    ending, session = run(lambda: SlowSession(Progress(CrawlState.RUNNING)), slow_s=0)
    assert ending == RunResult(interrupted=True)
    assert session.calls == ["start", "close"]
    assert told[1:] == [
        "gossamer: Still saving the project to a slow disk; press Ctrl+C to quit at once."
    ]


def test_slow_opening_is_announced(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[str] = []

    class SlowToOpen(FakeSession):
        async def start(self) -> None:
            await super().start()
            while not told:
                await asyncio.sleep(0)
                told.extend(capsys.readouterr().err.splitlines())

    ending, _ = run(lambda: SlowToOpen(Progress(CrawlState.FINISHED)), slow_s=0)
    assert ending == RunResult()
    assert told[0].startswith("gossamer: Still opening the project")


def test_a_crawl_that_cannot_start_raises_and_is_closed() -> None:
    class Locked(FakeSession):
        async def start(self) -> None:
            raise ProjectError("It is being crawled by another Gossamer.")

    sessions: list[FakeSession] = []

    def make() -> FakeSession:
        sessions.append(Locked())
        return sessions[0]

    with pytest.raises(ProjectError, match="another Gossamer"):
        run(make)
    assert sessions[0].calls == ["close"]


def test_signals_are_as_before_after_a_run() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    run(lambda: FakeSession(Progress(CrawlState.FINISHED)))
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_without_a_loop_is_noted(number: signal.Signals) -> None:
    # Under nohup, SIGHUP is ignored, and stays so.
    before = signal.signal(number, signal.SIG_DFL)
    try:
        with noting_interrupt() as interrupted:
            assert not interrupted()
            signal.raise_signal(number)
            assert interrupted()
    finally:
        signal.signal(number, before)


def test_a_second_interrupt_without_a_loop_raises_keyboard_interrupt() -> None:
    with noting_interrupt(every_second()):
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)


def test_signals_that_come_twice_at_once_count_once() -> None:
    now_s = 100.0
    with noting_interrupt(lambda: now_s) as interrupted:
        signal.raise_signal(signal.SIGINT)
        now_s += BOUNCE_S * 0.9
        signal.raise_signal(signal.SIGTERM)
        assert interrupted()


def test_a_program_started_by_nohup_outlives_its_terminal() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with noting_interrupt() as interrupted:
            signal.raise_signal(signal.SIGHUP)
            assert not interrupted()
    finally:
        signal.signal(signal.SIGHUP, before)


def test_each_interrupt_is_called_on_the_loop() -> None:
    async def scenario() -> None:
        called = asyncio.Event()
        async with asyncio.timeout(10):
            with calling_on_interrupt(called.set, every_second()):
                for number in (signal.SIGINT, signal.SIGTERM):
                    signal.raise_signal(number)
                    await called.wait()
                    called.clear()

    asyncio.run(scenario())


class LoopOfWindows(asyncio.SelectorEventLoop):
    """As the loops of Windows, which know no signals."""

    def add_signal_handler(self, *_args: object) -> None:
        raise NotImplementedError


def test_where_the_loop_knows_no_signals_they_are_handled_all_the_same() -> None:
    async def scenario() -> None:
        called = asyncio.Event()
        async with asyncio.timeout(10):
            with calling_on_interrupt(called.set):
                signal.raise_signal(signal.SIGINT)
                await called.wait()

    before = signal.getsignal(signal.SIGTERM)
    with asyncio.Runner(loop_factory=LoopOfWindows) as runner:
        runner.run(scenario())
    assert signal.getsignal(signal.SIGTERM) == before
