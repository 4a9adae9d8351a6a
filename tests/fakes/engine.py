"""Parts of the engine, ready to be asked without a crawl around them."""

from gossamer.engine.frontier import Frontier
from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.politeness import HostRate
from gossamer.engine.url_tracker import UrlTracker


def empty_frontier(capacity: int, pace: HostRate | None = None) -> Frontier:
    """A frontier of a project without URLs."""
    return Frontier(UrlTracker(PendingBatch()), capacity, pace or HostRate())
