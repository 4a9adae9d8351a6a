"""What a crawl of a known site must find: breadth first, one answer per URL.

A site is given as a function from a path to an `Answer`, so the same walk serves files on disk
and the demo site. Paths stand for URLs of one origin, in the spelling of the WHATWG URL
standard, with query and without fragment; two spellings of one file are two URLs.
"""

from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field

from ada_url import URL

from tests.sites.link_scan import ScannedPage, scan_page

_ORIGIN = "http://origin.test"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says at one path. `html` is the body of an HTML page, else None."""

    status: int
    html: bytes | None = None
    location: str | None = None


@dataclass(frozen=True, slots=True)
class ExpectedUrl:
    """One URL that a complete crawl of the origin knows.

    `depth` counts clicks from the root; a redirect's target has the depth of the redirect.
    `inlinks` counts link elements on reachable pages that lead here (those of the page itself
    included), `linking_pages` the different pages they stand on. `redirects_to` is the path of a
    redirect's target, its absolute URL if it leaves the origin, None if there is none.
    `status` is that of one request; `title` is None where no HTML page with a title is sent.
    """

    path: str
    status: int
    depth: int
    title: str | None
    is_html: bool
    redirects_to: str | None
    inlinks: int
    linking_pages: int
    self_links: int


@dataclass(slots=True)
class _Walk:
    answer_at: Callable[[str], Answer]
    answers: dict[str, Answer] = field(default_factory=dict)
    titles: dict[str, str | None] = field(default_factory=dict)
    depths: dict[str, int] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    links: dict[str, Counter[str]] = field(default_factory=dict)
    external: set[str] = field(default_factory=set)

    def run(self, root: str) -> None:
        self.depths[root] = 0
        queue = deque([root])
        while queue:
            path = queue.popleft()
            if path in self.answers:
                continue  # queued again when a redirect gave it a lower depth
            answer = self.answers[path] = self.answer_at(path)
            if answer.location is not None:
                self._follow(path, answer.location, queue)
            if answer.html is not None:
                page = scan_page(answer.html)
                self.titles[path] = page.title
                self.links[path] = Counter(self._resolved(path, page))
                for target in self.links[path]:
                    if self._is_nearer(target, self.depths[path] + 1):
                        queue.append(target)

    def _follow(self, path: str, location: str, queue: deque[str]) -> None:
        target = resolve(path, location)
        if target is None:
            return
        self.targets[path] = target
        if not target.startswith("/"):
            self.external.add(target)
        elif self._is_nearer(target, self.depths[path]):
            queue.appendleft(target)

    def _is_nearer(self, target: str, depth: int) -> bool:
        if depth < self.depths.get(target, depth + 1):
            self.depths[target] = depth
            return True
        return False

    def _resolved(self, path: str, page: ScannedPage) -> list[str]:
        base = path if page.base is None else resolve(path, page.base) or path
        resolved = (resolve(base, link) for link in page.links)
        paths = [target for target in resolved if target is not None]
        self.external.update(target for target in paths if not target.startswith("/"))
        return [target for target in paths if target.startswith("/")]


@dataclass(frozen=True, slots=True)
class Truth:
    """Everything reachable from the root: `urls` by path, and other origins' absolute URLs."""

    urls: dict[str, ExpectedUrl]
    external: frozenset[str]

    @property
    def pages(self) -> dict[str, ExpectedUrl]:
        """The HTML pages that are answered with 200."""
        return {path: url for path, url in self.urls.items() if url.is_html and url.status == 200}

    @property
    def statuses(self) -> Counter[int]:
        """How many URLs are answered with each status."""
        return Counter(url.status for url in self.urls.values())


def resolve(base: str, link: str) -> str | None:
    """The target of a link on the page at `base`: a path of the same origin, or another URL.

    None for what cannot be parsed and what is neither http nor https. `base` may be absolute.
    """
    try:
        target = URL(link, base if "://" in base else _ORIGIN + base)
    except ValueError:
        return None
    if target.protocol not in {"http:", "https:"}:
        return None
    href = target.href.partition("#")[0]
    return href.removeprefix(_ORIGIN) if target.origin == _ORIGIN else href


def walk(root: str, answer_at: Callable[[str], Answer]) -> Truth:
    """All of the site that links and redirects reach from the path `root`."""
    found = _Walk(answer_at)
    found.run(root)
    inlinks: Counter[str] = Counter()
    linking_pages: Counter[str] = Counter()
    for targets in found.links.values():
        inlinks.update(targets)
        linking_pages.update(targets.keys())
    urls = {
        path: ExpectedUrl(
            path=path,
            status=answer.status,
            depth=found.depths[path],
            title=found.titles.get(path),
            is_html=answer.html is not None,
            redirects_to=found.targets.get(path),
            inlinks=inlinks[path],
            linking_pages=linking_pages[path],
            self_links=found.links.get(path, Counter())[path],
        )
        for path, answer in found.answers.items()
    }
    return Truth(urls, frozenset(found.external))
