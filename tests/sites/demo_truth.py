"""What a complete crawl of the demo site finds, computed from the built site."""

from functools import cache
from urllib.robotparser import RobotFileParser

from gossamer.demo.site import DemoResponse, DemoSite, build_site
from tests.sites.link_scan import decode_page
from tests.sites.truth import Answer, Truth, walk

WORKSHOP = "/workshop/"
"""Where the site shows faults on purpose."""
NO_REAL_PAGES = {"/workshop/content/not-found.html", "/workshop/answers/scripts.html"}
"""One says with a status of success that it is an error, one has nothing without scripts."""
ORIGIN = "http://127.0.0.1:8080"
"""Where the truth's site stands; only canonical addresses and the site map speak of it."""


@cache
def expected(max_redirects: int = 10, *, obey_robots: bool = True) -> Truth:
    """What is found from "/" by path. The site is the same at every origin, so this holds for all.

    Links are followed as in `tests.sites.truth.walk`; the site map is not.
    """
    site = build_site(ORIGIN)
    robots = RobotFileParser()
    robots.parse(site.responses["/robots.txt"].body.decode().splitlines())

    def answer_at(path: str) -> Answer:
        if obey_robots and not robots.can_fetch("Gossamer", ORIGIN + path):
            return Answer(None)
        return answer_of(site, path)

    return walk("/", answer_at, max_redirects)


def answer_of(site: DemoSite, path: str) -> Answer:
    """The site's response at a path as the walk wants it."""
    response = site.respond(path)
    content_type = header(response, "Content-Type") or ""
    is_page = "html" in content_type and path not in NO_REAL_PAGES
    html = decode_page(response.body, content_type) if is_page else None
    refresh = (header(response, "Refresh") or "").partition("url=")[2] or None
    return Answer(response.status, html, header(response, "Location") or refresh)


def header(response: DemoResponse, name: str) -> str | None:
    """The value of a response's header, or None."""
    return next((value for key, value in response.headers if key == name), None)
