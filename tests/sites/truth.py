"""What a crawl of a known site must find: breadth first, one answer per URL.

A site is given as a function from a path to an `Answer`, so the same walk serves files on disk
and the demo site. Paths stand for URLs of one origin, in the spelling of the WHATWG URL
standard, with query and without fragment; two spellings of one file are two URLs.
"""

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ada_url import join_url

from tests.sites.link_scan import ScannedPage, scanned

_ORIGIN = "http://origin.test"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the server says at one path. `html` is the decoded HTML page, None for the rest.

    `status` None stands for a path that robots.txt asks to leave alone.
    """

    status: int | None
    html: str | None = None
    location: str | None = None


@dataclass(frozen=True, slots=True)
class ExpectedUrl:
    """One URL that a complete crawl of the origin knows.

    `status` is that of one request; None means known and not to be asked (robots.txt). `title`
    is None where no HTML page with a title is sent. `depth` counts clicks from the root; a
    redirect's target has the depth of the redirect. `redirects_to` is the path of a redirect's
    target (or of what a page refreshes to), its absolute URL if it leaves the origin, None if
    there is none. `inlinks` counts link elements on reachable pages that lead here (those of the
    page itself included; redirects do not count), `linking_pages` the different pages they stand
    on, `self_links` those of the page itself.
    """

    path: str
    status: int | None
    depth: int
    title: str | None
    is_html: bool
    redirects_to: str | None
    inlinks: int
    linking_pages: int
    self_links: int


@dataclass(frozen=True, slots=True)
class Truth:
    """Everything that is found from the root: `urls` by path, and other origins' absolute URLs.

    `beyond_limit` are paths that only a redirect over the limit leads to.
    """

    urls: dict[str, ExpectedUrl]
    external: frozenset[str]
    beyond_limit: frozenset[str]

    @property
    def pages(self) -> dict[str, ExpectedUrl]:
        """The HTML pages that are answered with 200."""
        return {path: url for path, url in self.urls.items() if url.is_html and url.status == 200}

    @property
    def statuses(self) -> Counter[int | None]:
        """How many URLs are answered with each status."""
        return Counter(url.status for url in self.urls.values())

    @property
    def redirects(self) -> dict[str, str | None]:
        """Where each redirecting path leads; None for a redirect without a target."""
        return {
            path: url.redirects_to
            for path, url in self.urls.items()
            if url.status is not None and 300 <= url.status < 400
        }


def resolve(base: str, link: str) -> str | None:
    """The target of a link on the page at `base`: a path of the same origin, or another URL.

    None for what cannot be parsed and what is neither http nor https. `base` may be absolute.
    """
    try:
        href = join_url(base if "://" in base else _ORIGIN + base, link).partition("#")[0]
    except ValueError:
        return None
    if not href.startswith(("http://", "https://")):
        return None
    return href[len(_ORIGIN) :] if href.startswith(f"{_ORIGIN}/") else href


def walk(root: str, answer_at: Callable[[str], Answer], max_redirects: int = 10) -> Truth:
    """All of the site that links and redirects reach from the path `root`.

    `max_redirects` is how many redirects are followed in a row, counted from a link.
    """
    found = _Walk(answer_at, max_redirects)
    found.run(root)
    return found.truth()


@dataclass(slots=True)
class _Walk:
    answer_at: Callable[[str], Answer]
    max_redirects: int
    answers: dict[str, Answer] = field(default_factory=dict)
    titles: dict[str, str | None] = field(default_factory=dict)
    links: dict[str, Counter[str]] = field(default_factory=dict)
    targets: dict[str, str] = field(default_factory=dict)
    # The best known so far: clicks from the root, redirects in a row before this path.
    depths: dict[str, int] = field(default_factory=dict)
    hops: dict[str, int] = field(default_factory=dict)
    external: set[str] = field(default_factory=set)
    beyond_limit: set[str] = field(default_factory=set)

    def run(self, root: str) -> None:
        """Relax depths and hops until nothing gets better; a path's answer is asked once."""
        self._improves(root, 0, 0)
        queue = deque([root])
        while queue:
            path = queue.popleft()
            if path not in self.answers:
                self._ask(path)
            queue.extend(
                target for target, *cost in self._ways(path) if self._improves(target, *cost)
            )

    def _ask(self, path: str) -> None:
        answer = self.answers[path] = self.answer_at(path)
        if answer.location is not None:
            target = resolve(path, answer.location)
            if target is not None:
                self.targets[path] = target
        if answer.html is not None:
            page = scanned(answer.html)
            self.titles[path] = page.title
            self.links[path] = Counter(self._resolved(path, page))
            target = None if page.refresh is None else resolve(path, page.refresh)
            if target is not None and target != path:
                self.targets[path] = target

    def _resolved(self, path: str, page: ScannedPage) -> Iterator[str]:
        base = path if page.base is None else resolve(path, page.base) or path
        for link in page.links:
            target = resolve(base, link)
            if target is not None and target.startswith("/"):
                yield target
            elif target is not None:
                self.external.add(target)

    def _ways(self, path: str) -> Iterator[tuple[str, int, int]]:
        """Where one step leads from here: target, its depth, its redirects in a row."""
        for target in self.links.get(path, ()):
            yield target, self.depths[path] + 1, 0
        target = self.targets.get(path, "")
        if not target.startswith("/"):
            self.external.update({target} - {""})
        elif self.hops[path] < self.max_redirects:
            yield target, self.depths[path], self.hops[path] + 1
        else:
            self.beyond_limit.add(target)

    def _improves(self, target: str, depth: int, hops: int) -> bool:
        better = depth < self.depths.get(target, depth + 1) or hops < self.hops.get(
            target, hops + 1
        )
        self.depths[target] = min(depth, self.depths.get(target, depth))
        self.hops[target] = min(hops, self.hops.get(target, hops))
        return better

    def truth(self) -> Truth:
        """What was found, counted."""
        inlinks: Counter[str] = Counter()
        linking_pages: Counter[str] = Counter()
        for targets in self.links.values():
            inlinks.update(targets)
            linking_pages.update(targets.keys())
        urls = {
            path: ExpectedUrl(
                path=path,
                status=answer.status,
                depth=self.depths[path],
                title=self.titles.get(path),
                is_html=answer.html is not None,
                redirects_to=self.targets.get(path),
                inlinks=inlinks[path],
                linking_pages=linking_pages[path],
                self_links=self.links.get(path, Counter())[path],
            )
            for path, answer in self.answers.items()
        }
        return Truth(urls, frozenset(self.external), frozenset(self.beyond_limit - urls.keys()))
