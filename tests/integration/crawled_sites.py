"""Sites that the tests of commands crawl."""

from tests.sites import Site
from tests.sites.responses import Response, html_page


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
