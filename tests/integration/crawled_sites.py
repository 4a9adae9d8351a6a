"""Sites that the tests of commands crawl."""

import random
from typing import Final

from tests.sites import Site
from tests.sites.responses import Response, html_page

ENDLESS: Final = {"max_similar": 10**6}
"""The setting of a crawl that is to find no end in `endless_tree`, however long it runs."""


def endless_tree(site: Site, delay_s: float = 0.005) -> None:
    """Pages without end below /t/1, each linking to two more."""

    def page_of(path: str) -> Response | None:
        number = path.removeprefix("/t/")
        if not number.isdecimal():
            return None
        links = [f"/t/{2 * int(number) + more}" for more in (0, 1)]
        return Response(body=html_page(path, links), delay_s=delay_s)

    site.generate(page_of)


def star(site: Site, count: int, delay_s: float = 0.0) -> set[str]:
    """A root that links to `count` pages; the paths of all of them."""
    paths = [f"/{number}" for number in range(count)]
    site.page("/", links=paths)
    for path in paths:
        site.page(path, title=path, delay_s=delay_s)
    return {"/", *paths}


def mixed_site(site: Site, chance: random.Random, pages: int) -> None:
    """Pages in a tree, with links across it, redirects, and links that lead nowhere."""
    links = {
        number: [
            *(f"/{n}" for n in range(3 * number + 1, 3 * number + 4) if n < pages),
            f"/{chance.randrange(pages)}",
            f"/to/{chance.randrange(pages)}",
            *([f"/gone/{number}"] if number % 7 == 0 else []),
        ]
        for number in range(pages)
    }

    def answer(path: str) -> Response | None:
        _, *kind, name = path.split("/")
        if not (name.isdigit() or path == "/") or kind == ["gone"]:
            return None
        if kind == ["to"]:
            return Response(302, headers=(("Location", f"/{name}"),), delay_s=0.005)
        page = html_page(f"Page {name}", links[int(name or 0)])
        return Response(body=page, delay_s=0.005)

    site.generate(answer)
