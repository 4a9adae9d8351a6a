"""The window's texts about schedules: when they run, how their runs ended."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLocale

from gossamer.gui.look.theme import Role
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import labelled, spoken
from gossamer.scheduling.run_history import RunOutcome, ScheduledRun
from gossamer.scheduling.run_times import DAYS, RunTimes
from gossamer.scheduling.schedule_operations import ScheduleOverview

_tr = translator("Schedules")

_OUTCOMES: Final[dict[RunOutcome, tuple[str, str, Role]]] = {
    RunOutcome.RUNNING: (QT_TRANSLATE_NOOP("Schedules", "Running"), "start", "accent"),
    RunOutcome.FINISHED: (QT_TRANSLATE_NOOP("Schedules", "Finished"), "finished", "ok"),
    RunOutcome.INCOMPLETE: (
        QT_TRANSLATE_NOOP("Schedules", "Finished, but not all that follows"),
        "warning",
        "warning",
    ),
    RunOutcome.INTERRUPTED: (QT_TRANSLATE_NOOP("Schedules", "Interrupted"), "pause", "warning"),
    RunOutcome.FAILED: (QT_TRANSLATE_NOOP("Schedules", "Failed"), "error", "error"),
}
_MONDAY: Final = 1


def outcome_style(outcome: RunOutcome) -> tuple[str, str, Role]:
    """How a run ended in words, with its icon and its colour."""
    words, sign, role = _OUTCOMES[outcome]
    return _tr(words), sign, role


def times_words(times: RunTimes) -> str:
    """When it runs, such as "Daily at 02:30"."""
    words = spoken(times.described)
    return words[:1].upper() + words[1:]


def next_times(times: Sequence[datetime]) -> str:
    """The next times, such as "Next: 11/24/26 2:30 AM · 11/25/26 2:30 AM"."""
    return labelled(_tr("Next"), " · ".join(formatting.moment(each.timestamp()) for each in times))


def weekday_names() -> list[tuple[str, str]]:
    """The days as the language calls them, and as the schedule does; Monday first."""
    locale = QLocale()
    days = [*DAYS[_MONDAY:], *DAYS[:_MONDAY]]
    return [(locale.dayName(number), day) for number, day in enumerate(days, 1)]


def next_words(overview: ScheduleOverview) -> str:
    """When it runs next, or why not."""
    if overview.is_running:
        return _tr("Running now")
    if overview.next_at is None:
        if overview.schedule is None:
            return _tr("Cannot be used")
        is_person = overview.schedule.is_enabled and overview.is_started_by_person
        return _tr("When you start it") if is_person else _tr("Disabled")
    return formatting.moment(overview.next_at.timestamp())


def change_numbers(run: ScheduledRun | None) -> tuple[str, ...]:
    """How many pages are new, missing and changed, and how many issues new; "" if not known."""
    if run is None or run.changes is None:
        return ("", "", "", "")
    counts = run.changes
    numbers = (counts.new, counts.missing, counts.changed, counts.issues)
    return tuple(map(formatting.number, numbers))


def run_words(run: ScheduledRun) -> tuple[str, ...]:
    """When, how it ended, how long it took, what has changed, and which project it made."""
    ended = run.ended_s
    took = "" if ended is None else formatting.duration(int(max(ended - run.started_s, 0) * 1000))
    project = "" if run.project is None else formatting.clean(Path(run.project).name)
    words, _, _ = outcome_style(run.outcome)
    changes = "" if run.changes is None else spoken(run.changes.said)
    return formatting.moment(run.started_s), words, took, changes, project
