"""A site whose pages have versions, and whose server answers conditional requests."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from email.utils import formatdate
from hashlib import sha256

from tests.sites.ledger import Request
from tests.sites.responses import HTML, Response, html_page
from tests.sites.site import Site


@dataclass
class VersionedSite:
    """Has pages of a `site` answered with ETag and Last-Modified, and 304 where they match.

    `etag_of` and `answer` can be replaced by what servers do otherwise.
    """

    site: Site
    bodies: dict[str, bytes] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    headers: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)
    redirects: dict[str, int] = field(default_factory=dict)
    """The status of those that are redirects."""
    not_modified_headers: tuple[tuple[str, str], ...] = ()
    statuses: Counter[int] = field(default_factory=Counter)
    sent: Counter[str] = field(default_factory=Counter)
    """Bytes of bodies that were sent, by path."""
    modified_s: float = 1_600_000_000.0
    etag_of: Callable[[bytes], str] = lambda body: f'"{sha256(body).hexdigest()[:12]}"'
    matches: Callable[[str, str], bool] = lambda etag, asked: etag in asked.split(", ")
    """Whether an ETag is among those asked for."""
    has_dates: bool = True

    def page(
        self,
        path: str,
        *links: str,
        title: str = "",
        body: str = "",
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """A page, or another version of it."""
        self.put(path, html_page(title or f"Page {path}", links, body), HTML, headers)

    def put(
        self,
        path: str,
        body: bytes,
        content_type: str = HTML,
        headers: tuple[tuple[str, str], ...] = (),
    ) -> None:
        """Any file, or another version of it."""
        self.bodies[path], self.types[path], self.headers[path] = body, content_type, headers
        self.redirects.pop(path, None)
        self.site.answer(path, self.answer)

    def redirect(self, path: str, to: str, status: int = 301) -> None:
        """A redirect that has validators, as some servers give them; or another version of it."""
        self.put(path, f"To {to}".encode(), HTML, (("Location", to),))
        self.redirects[path] = status

    def forget(self) -> None:
        """Begin to count anew."""
        self.statuses.clear()
        self.sent.clear()

    def remove(self, path: str) -> None:
        """Have nothing there any more."""
        self.site.status(path, 404)

    def answer(self, request: Request) -> Response:
        """As a server that knows its files."""
        path, body = request.path, self.bodies[request.path]
        etag = self.etag_of(body)
        validators: tuple[tuple[str, str], ...] = (("ETag", etag),) if etag else ()
        if self.has_dates:
            validators += (("Last-Modified", formatdate(self.modified_s, usegmt=True)),)
        asked, since = request.header("If-None-Match"), request.header("If-Modified-Since")
        is_same = bool(asked) and bool(etag) and self.matches(etag, asked or "")
        if asked is None and since is not None:
            is_same = since == formatdate(self.modified_s, usegmt=True)
        if is_same:
            self.statuses[304] += 1
            return Response(304, b"", None, (*validators, *self.not_modified_headers))
        status = self.redirects.get(path, 200)
        self.statuses[status] += 1
        self.sent[path] += len(body) if request.method == "GET" else 0
        return Response(status, body, self.types[path], (*validators, *self.headers[path]))
