"""What fetches pages for the jobs of a worker: as they are, or rendered."""

from typing import Protocol

from msgspec import Struct

from gossamer.fetch.set_cookie_header import CookieHeaders
from gossamer.model.messages.worker_messages import ConfigureWorker, Fetch
from gossamer.model.rendering import Rendering
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit


class StoredRendering(Struct, frozen=True):
    """How the crawl rendered a page: the DOM as HTML, and the visit that came of it."""

    dom: str
    visit: Visit
    rendering: Rendering


class StoredRenderings(Protocol):
    """Knows how a crawl rendered pages."""

    def stored_rendering(
        self, url: str, visit: Visit, settings: CrawlSettings
    ) -> StoredRendering | None:
        """How a page was rendered that `visit` does not show as it was then; None if unknown."""


class PageFetcher(Protocol):
    """Fetches pages, and is notified of everything else that is fetched."""

    async def take_turn(self, url: str) -> None:
        """Return when `url` may be requested, as far as the crawl host does not ensure that."""

    async def fetch(self, job: Fetch, cookies: CookieHeaders) -> Visit:
        """The visit of a page."""

    def note_text(self, url: str, visit: Visit, text: str) -> None:
        """Note a fetched text, such as a robots.txt."""

    def reconfigure(self, configure: ConfigureWorker) -> None:
        """Apply the settings that may change during a crawl."""

    def take_archive(self, responses: StoredRenderings) -> None:
        """Read from this archive what cannot be rendered again."""
