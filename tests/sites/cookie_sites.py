"""Sites that want cookies: walls that turn away who has none, and members' pages."""

from collections.abc import Callable, Iterable

from tests.sites.ledger import Request
from tests.sites.responses import HTML, Response, html_page
from tests.sites.site import Site

Answer = Callable[[Request], Response]


def told(request: Request) -> dict[str, str]:
    """The cookies of a request."""
    pairs = (pair.partition("=") for pair in (request.header("Cookie") or "").split("; "))
    return {name: value for name, _, value in pairs if name}


def walled(site: Site, path: str, links: Iterable[str] = (), *, by: str | None = None) -> None:
    """A page that is shown to those who have the cookie `seen`, and others sent to `by`.

    `by` sets the cookie and sends back; without it, the page does so by itself.
    """
    page = Response(body=html_page("within", links))
    cookie = ("Set-Cookie", "seen=1; Path=/; HttpOnly")

    def answer(request: Request) -> Response:
        if told(request).get("seen"):
            return page
        if by is None:
            return Response(302, b"", None, (("Location", path), cookie))
        return Response(302, b"", None, (("Location", by),))

    site.answer(path, answer)
    if by is not None:
        site.redirect(by, path, headers=[cookie])


def members(site: Site, pages: Iterable[str]) -> None:
    """`/login` begins a session, without which each of `pages` leads to `/denied`."""
    pages = list(pages)
    session = ("Set-Cookie", "session=s3cret-session; Path=/; HttpOnly; SameSite=Lax")
    site.respond("/login", Response(200, html_page("welcome", pages), HTML, (session,)))
    site.page("/denied", title="denied")

    def answer(request: Request) -> Response:
        if told(request).get("session") == "s3cret-session":
            return Response(body=html_page(f"members {request.path}", []))
        return Response(302, b"", None, (("Location", "/denied"),))

    for path in pages:
        site.answer(path, answer)
