"""A project of a few hundred pages, and ways to damage a copy of it."""

import random
from pathlib import Path

from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.rendering import PageResource, Rendering, RenderingDetails, ResourceType
from gossamer.model.visit import Link
from tests.fakes.crawled import Crawled

PAGE_SIZE = 4096


def crawled_site(path: Path, pages: int = 120) -> Crawled:
    """Pages that link to each other, some rendered, a redirect, failures and queued URLs.

    The writer is open.
    """
    crawled = Crawled(path)
    names = [f"/{n % 7}/{n}" for n in range(pages)]
    crawled.page("/", *names[:20], title="Home")
    for n, name in enumerate(names):
        links = [names[(n * 7 + step) % pages] for step in range(12)]
        image = (f"/image-{n % 5}.png", Link(0, LinkKind.IMAGE, f"picture {n}"))
        rendering = None if n % 10 else rendering_of(n)
        crawled.page(name, *links, image, title=f"Page {n} " + "x" * (n % 90), rendering=rendering)
    crawled.redirect("/old", names[3])
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.known("/queued", Outcome.PENDING, parent="/")
    return crawled


def rendering_of(number: int) -> Rendering:
    """What a browser made of the page with a number."""
    script = PageResource(f"https://example.com/{number}.js", ResourceType.SCRIPT, 200)
    return Rendering(
        RenderOutcome.RENDERED,
        html_title=f"Loading {number}",
        page_requests=1,
        details=RenderingDetails([script]),
        screenshot=bytes([number % 256]) * (200 if number else 6_000),
    )


def flipped(data: bytes, chance: random.Random, *, start: int = 0, end: int | None = None) -> bytes:
    """`data` with one to forty bytes of a stretch changed."""
    damaged = bytearray(data)
    end = len(data) if end is None else end
    at = chance.randrange(start, end)
    for _ in range(chance.choice([1, 1, 2, 8, 40])):
        damaged[min(at + chance.randrange(60), end - 1)] ^= chance.randrange(1, 256)
    return bytes(damaged)


def holed(data: bytes, chance: random.Random) -> bytes:
    """`data` with a few pages of zeros, as a file system leaves after a crash."""
    damaged = bytearray(data)
    at = chance.randrange(len(data) // PAGE_SIZE) * PAGE_SIZE
    length = min(chance.choice([1, 2, 5]) * PAGE_SIZE, len(data) - at)
    damaged[at : at + length] = bytes(length)
    return bytes(damaged)


def zeroed(path: Path) -> None:
    """Have zeros in the last quarter of the pages: the first of each table come before."""
    pages = path.stat().st_size // PAGE_SIZE
    with path.open("r+b") as file:
        file.seek((pages - pages // 4) * PAGE_SIZE)
        file.write(bytes(pages // 4 * PAGE_SIZE))


def cut(data: bytes, chance: random.Random) -> bytes:
    """`data` without its end."""
    return data[: chance.randrange(len(data))]
