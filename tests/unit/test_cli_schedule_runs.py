"""Several schedules, run one after the other from the command line."""

from collections.abc import Coroutine
from functools import partial
from pathlib import Path

import pytest

from gossamer.cli import schedule_command
from gossamer.cli.parsed_schedule_commands import RunScheduleCommand
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.translatable import Translatable, said
from gossamer.scheduling.run_times import daily
from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.schedule_store import ScheduleStore
from gossamer.scheduling.scheduled_run import CrawlEnding
from gossamer.session.crawl_session import CrawlSession
from gossamer.session.settings_file import settings_text

_PAUSED = CrawlEnding(failure=said("No network."), exit_code=130)
_INTERRUPTED = CrawlEnding(is_interrupted=True)


class _EndingShell:
    """Ends each crawl, and each step after it, in the same way, and notes which were begun."""

    def __init__(
        self, begun: list[str], ending: CrawlEnding, is_complete: bool, name: str, *, quiet: bool
    ) -> None:
        assert quiet
        self._begun, self._ending, self._name = begun, ending, name
        self._is_complete = is_complete

    async def crawl(self, session: CrawlSession) -> CrawlEnding:
        self._begun.append(self._name)
        await session.close()
        return self._ending

    async def complete(self, step: Coroutine[None, None, None]) -> bool:
        step.close()
        return self._is_complete

    def tell(self, sentence: Translatable) -> None:
        """Nobody listens."""


@pytest.mark.parametrize(
    ("ending", "is_told", "expected"),
    [
        (_PAUSED, True, ["docs", "shop"]),
        (_INTERRUPTED, True, ["docs"]),
        (_PAUSED, False, ["docs"]),
    ],
    ids=["paused by itself", "interrupted", "interrupted while people are notified"],
)
def test_only_an_interrupt_keeps_other_schedules_from_running(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    ending: CrawlEnding,
    is_told: bool,
    expected: list[str],
) -> None:
    for name in ("CONFIG", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    settings = settings_text(CrawlSettings(roots=("https://a.test/",)))
    for name in ("docs", "shop"):
        ScheduleStore().save(
            Schedule(
                name=name,
                times=daily("02:30"),
                folder=str(tmp_path / name),
                timer=TimerKind.NONE,
                since=0.0,
                settings=settings,
            ),
            replace=True,
        )
    begun: list[str] = []
    shell = partial(_EndingShell, begun, ending, is_told)
    monkeypatch.setattr(schedule_command, "ForegroundScheduledRun", shell)
    assert schedule_command.run_schedules(RunScheduleCommand(due=True, quiet=True)) == 130
    assert begun == expected
