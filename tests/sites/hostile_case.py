"""One thing a hostile site does, and the ways of doing it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from gossamer.model.outcome import Outcome, Verdict
from tests.sites.responses import HTML, Response
from tests.sites.site import Site

Serve = Callable[[Site, str], None]

OK = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
PAGE = b"<!doctype html><title>page</title><p>text</p>"


@dataclass(frozen=True, slots=True)
class Case:
    """One behaviour. `outcomes` has more than one where it is a matter of time which comes."""

    path: str
    serve: Serve
    outcomes: tuple[Outcome, ...]
    status: int | None = None
    verdict: Verdict | None = None
    truncated: bool | None = None
    title: str | None = None
    facts: dict[str, object] = field(default_factory=dict)
    """Further fields of the row."""
    finds: dict[str, Outcome | None] = field(default_factory=dict)
    """Other paths and what became of them; None for those that must not be known."""


def sent(data: str | bytes, *, close: bool = True) -> Serve:
    """Exactly these bytes."""
    raw = data.encode("latin-1") if isinstance(data, str) else data
    return lambda site, path: site.raw(path, raw, close=close)


def page_after(head: str, body: bytes = PAGE, *, close: bool = True) -> Serve:
    """A page after 200, Content-Type and these header lines (without their last line end)."""
    return sent(f"{OK}{head}\r\n\r\n".encode("latin-1") + body, close=close)


def answered(
    status: int, body: bytes = b"", content_type: str | None = HTML, **headers: str
) -> Serve:
    """A well-formed answer."""
    pairs = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    return lambda site, path: site.respond(path, Response(status, body, content_type, pairs))


def html(body: bytes, content_type: str | None = HTML) -> Serve:
    """A well-formed page with these bytes."""
    return answered(200, body, content_type)


def coded(coding: str, body: bytes) -> Serve:
    """A page whose body is said to be in `coding`."""
    return page_after(f"Content-Encoding: {coding}\r\nContent-Length: {len(body)}", body)


def redirecting(location: str | None, status: int = 302) -> Serve:
    """A redirect there."""
    return lambda site, path: site.redirect(path, location, status=status)


def hung(after: str = "") -> Serve:
    return lambda site, path: site.hang(path, after=after.encode("latin-1"))


def reset_after(after: str = "") -> Serve:
    return lambda site, path: site.reset(path, after=after.encode("latin-1"))
