"""What happens next: things to do at times, in order; those of one time in the order given."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import count

Action = Callable[[], None]


class EventQueue:
    """The clock of a simulation, and what is to come."""

    def __init__(self) -> None:
        self.now = 0.0
        self._order = count()
        self._events: list[tuple[float, int, Action]] = []

    def at(self, time_s: float, action: Action) -> None:
        """Do this then; ValueError for the past."""
        if time_s < self.now:
            raise ValueError(f"{time_s} is before {self.now}")
        heappush(self._events, (time_s, next(self._order), action))

    def run(self, until_s: float) -> None:
        """Do everything until then, or until nothing is left."""
        while self._events and self._events[0][0] <= until_s:
            self.now, _, action = heappop(self._events)
            action()


class Cores:
    """Processors that take one piece of work after the other, in the order it comes."""

    def __init__(self, count: int) -> None:
        self._free_at = [0.0] * count

    def work(self, now: float, work_s: float) -> float:
        """Do this on the core that is free first; when it is done."""
        core = min(range(len(self._free_at)), key=self._free_at.__getitem__)
        done_at = max(now, self._free_at[core]) + work_s
        self._free_at[core] = done_at
        return done_at


class Crowd:
    """Counts who is inside, and for how long, in two ways that Little's law ties together."""

    def __init__(self) -> None:
        self.inside = 0
        self.most = 0
        self.came = 0
        self.stays_s = 0.0
        """The sum of all stays that have ended."""
        self._area = 0.0
        self._since = 0.0

    def enter(self, now: float, count: int = 1) -> None:
        """So many come in."""
        self._area += self.inside * (now - self._since)
        self._since = now
        self.inside += count
        self.came += count
        self.most = max(self.most, self.inside)

    def leave(self, now: float, came_at: float) -> None:
        """One goes that came then."""
        self._area += self.inside * (now - self._since)
        self._since = now
        self.inside -= 1
        self.stays_s += now - came_at

    def mean(self, now: float) -> float:
        """How many were inside on average, until now."""
        area = self._area + self.inside * (now - self._since)
        return area / now if now else 0.0

    @property
    def mean_stay_s(self) -> float:
        """How long who has left was inside."""
        left = self.came - self.inside
        return self.stays_s / left if left else 0.0
