"""The time of day as the crawl has it, which a node's own clock may not show."""

import time

from gossamer.model.timestamps import LATEST_S


class CrawlClock:
    """The clock of the machine, set right by how far it is ahead of the coordinator's."""

    def __init__(self) -> None:
        """Trust the machine."""
        self.ahead_s = 0.0
        """How far the machine's clock is ahead."""

    def set_right(self, ahead_s: float) -> None:
        """Note how far the machine's clock is ahead."""
        self.ahead_s = ahead_s

    def now(self) -> float:
        """The time, as POSIX has it, within what projects can hold."""
        return min(max(0.0, time.time() - self.ahead_s), LATEST_S)


CLOCK = CrawlClock()
"""That of this process, which works for one crawl."""
