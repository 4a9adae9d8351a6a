"""Chooses the timer of a system, and makes each kind."""

import sys
from collections.abc import Callable, Mapping
from typing import Final

from gossamer.scheduling.schedule import Schedule, TimerKind
from gossamer.scheduling.timers.crontab_timer import CrontabTimer
from gossamer.scheduling.timers.launchd_timer import LaunchdTimer
from gossamer.scheduling.timers.system_timer import SystemTimer, TimerError, TimerState
from gossamer.scheduling.timers.systemd_timer import SystemdTimer
from gossamer.scheduling.timers.task_scheduler_timer import TaskSchedulerTimer


class NoTimer:
    """The user starts runs by other means."""

    kind: Final = TimerKind.NONE

    def is_usable(self) -> bool:
        """Always."""
        return True

    def install(self, schedule: Schedule) -> None:
        """Do nothing."""

    def remove(self, name: str) -> None:
        """Do nothing."""

    def state(self, name: str) -> TimerState:
        """None of ours."""
        del name
        return TimerState(is_there=True)


_TIMERS: Final[Mapping[TimerKind, Callable[[], SystemTimer]]] = {
    TimerKind.SYSTEMD: SystemdTimer,
    TimerKind.CRONTAB: CrontabTimer,
    TimerKind.LAUNCHD: LaunchdTimer,
    TimerKind.TASK_SCHEDULER: TaskSchedulerTimer,
    TimerKind.NONE: NoTimer,
}
_LINUX: Final = (TimerKind.SYSTEMD, TimerKind.CRONTAB)
_OF_PLATFORM: Final[Mapping[str, tuple[TimerKind, ...]]] = {
    "darwin": (TimerKind.LAUNCHD,),
    "win32": (TimerKind.TASK_SCHEDULER,),
}


def timer_of(kind: TimerKind) -> SystemTimer:
    """The timer of this kind, whether or not the system has it."""
    return _TIMERS[kind]()


def usual_timer() -> SystemTimer:
    """The best that this system has; TimerError if it has none that we know."""
    for kind in _OF_PLATFORM.get(sys.platform, _LINUX):
        timer = timer_of(kind)
        if timer.is_usable():
            return timer
    raise TimerError(
        "This system has neither a running systemd user manager nor a crontab; use '--timer "
        "none', and let another timer of the system start 'gossamer schedule run --due'."
    )
