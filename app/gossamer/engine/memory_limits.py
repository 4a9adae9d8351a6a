"""How much of a crawl stands in memory at once."""

from dataclasses import dataclass

from gossamer.engine.known_urls.older_url_hashes import MOST_PLACES
from gossamer.model.store_batch import REACH


@dataclass(frozen=True, slots=True)
class EngineLimits:
    """Bounds of queues and caches; what is beyond them is in the project file alone."""

    queued_urls: int = 50_000
    """In the frontier."""
    seen_urls: int = 100_000
    """Known with their text."""
    seen_hash_places: int = MOST_PLACES
    """For older ones: see `SeenHashes`."""
    pending_visits: int = 1_000
    """That wait for the writer; with more, no new fetch starts."""
    pending_links: int = 100_000
    """Likewise the links of these visits."""
    propagated_links: int = REACH
    """Over which better ranks are carried on with one commit."""
    rows_per_read: int = 10_000
    """Of the project file, where a selection of URLs is worked through; then they are committed."""
