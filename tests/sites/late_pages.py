"""Fifty pages whose scripts finish them at once, late, by frames, or while they go on for ever."""

from collections.abc import Mapping
from typing import Final

from tests.sites.responses import Response

_DATA: Final = "fetch('/data').then(answer => answer.text())"
_FRAMES: Final = (
    "let n = 0; const frame = () => ++n < 20 ? requestAnimationFrame(frame) : finish();"
    "requestAnimationFrame(frame);"
)
WAYS: Final[Mapping[str, tuple[int, str]]] = {
    "fetch": (18, f"{_DATA}.then(finish);"),
    "two fetches": (6, f"{_DATA}.then(() => {_DATA}).then(finish);"),
    "timer of 0.3 s": (6, "setTimeout(finish, 300);"),
    "timer of 1.5 s": (4, "setTimeout(finish, 1500);"),
    "fetch after 0.8 s": (4, f"setTimeout(() => {_DATA}.then(finish), 800);"),
    "20 frames": (2, _FRAMES),
    "polls for ever": (
        2,
        f"let n = 0; setInterval(() => {_DATA}.then(() => ++n == 2 && finish()), 300);",
    ),
    "ticks for ever": (
        2,
        f"setInterval(() => document.body.id = performance.now(), 100);{_DATA}.then(finish);",
    ),
    "nothing": (6, ""),
}
"""How pages come to be finished: how many of them, and by what script."""
STATIC: Final = "nothing"
MADE: Final = "/made"
"""The page that finished pages lead to."""
_TEXT: Final = "<p>some words of a paragraph, as there are on many pages" * 200
_LIBRARY: Final = (
    b"function finish() { document.body.insertAdjacentHTML('afterbegin',"
    b" `<h1>${document.title}</h1><a href=/made>made</a>`); }//"
).ljust(113_000, b"x")
_IMAGE: Final = b"GIF89a\x01\0\x01\0\0\0\0;"
_TYPED: Final = {
    "/app.js": ("text/javascript", _LIBRARY),
    "/app.css": ("text/css", b"body { margin: 1em }".ljust(5_000)),
    "/data": ("application/json", b"1"),
    **{f"/{number}.gif": ("image/gif", _IMAGE) for number in range(5)},
}


def late_page_paths() -> dict[str, str]:
    """The path of each page, and its way."""
    ways = [way for way, (pages, _) in WAYS.items() for _ in range(pages)]
    return {f"/page/{number}": way for number, way in enumerate(ways)}


def title_of(path: str) -> str:
    """Of a page; it is its heading, too, once it is finished."""
    return f"Title of {path}"


def late_answer(path: str) -> Response | None:
    """The answer of the site for a path: for `Site.generate`."""
    if path in _TYPED:
        kind, body = _TYPED[path]
        delay_s = 0.05 if path == "/data" else 0.0
        return Response(body=body, headers=(("Content-Type", kind),), delay_s=delay_s)
    paths = late_page_paths()
    if path not in paths and path != MADE:
        return None
    way = paths.get(path, STATIC)
    links = "".join(f"<a href={each}>{each}</a> " for each in paths)
    images = "".join(f"<img src=/{number}.gif alt=x>" for number in range(5))
    finished = f"<h1>{title_of(path)}</h1>" if way == STATIC else ""
    html = (
        f"<!doctype html><title>{title_of(path)}</title><link rel=stylesheet href=/app.css><body>"
        f"{finished}{_TEXT}{links}{images}<script src=/app.js></script><script>{WAYS[way][1]}"
        "</script>"
    )
    return Response(body=html.encode())
