"""What may be requested to inspect a page, and what its redirects lead to."""

from collections.abc import Awaitable, Callable
from typing import Final

from gossamer.engine.robots_cache import RobotsCache, RobotsUnreachableError
from gossamer.model.messages.inspection_messages import PageSource
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import HTTP_SCHEMES

_MAX_HOPS: Final = 10


async def inspection_refusal(url: str, robots: RobotsCache | None) -> PageSource | None:
    """Why `url` must not be requested; None if nothing forbids it."""
    if not url.startswith(HTTP_SCHEMES):
        return PageSource(0, url, Outcome.UNSUPPORTED_SCHEME)
    if robots is None:
        return None
    try:
        await robots.learn(url)
    except RobotsUnreachableError as e:
        return PageSource(0, url, e.visit.outcome, detail=e.visit.detail)
    refusal = robots.refusal(url)
    return None if refusal is None else PageSource(0, url, refusal.outcome, detail=refusal.detail)


async def with_redirects(
    url: str, robots: RobotsCache | None, ask: Callable[[str], Awaitable[tuple[Visit, bytes]]]
) -> tuple[str, Visit, bytes]:
    """Request `url` and what it redirects to; returns the last URL, its visit and its body."""
    visit, body = Visit(Outcome.REDIRECT), b""
    for _ in range(_MAX_HOPS):
        if (refusal := await inspection_refusal(url, robots)) is not None:
            return url, Visit(refusal.outcome, detail=refusal.detail), b""
        visit, body = await ask(url)
        if visit.location is None:
            break
        url = visit.location
    return url, visit, body
