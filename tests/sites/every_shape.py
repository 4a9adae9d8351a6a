"""A site with something of every shape that a crawl has trouble with, generated from one number.

All answers are the same whatever the order and however often they are asked for; an answer that
passes comes right the second time.
"""

import random
from collections import Counter
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

from tests.sites.ledger import Request
from tests.sites.responses import Response, html_page
from tests.sites.site import Site

_CHAIN: Final = 25
_REDIRECTS: Final = 12
_SLOW_S: Final = (0.2, 1.0)
_BIG: Final = 1_500_000
_CRAWL_DELAY_S: Final = 0.1
_LISTED: Final = 12
_XML: Final = "application/xml"


class EveryShape:
    """Two hosts: one with everything, and one that wants to be asked seldom. A context manager."""

    def __init__(
        self, pages: int, seed: int, hosts: tuple[str, str] = ("127.0.0.1", "127.0.0.2")
    ) -> None:
        self._pages = pages
        self._seed = seed
        self.site = Site(hosts[0])
        self.polite = Site(hosts[1])
        self._asked: Counter[str] = Counter()
        self._made: dict[str, Callable[[int, random.Random], Response | None]] = {
            "tree": self._tree,
            "wide": self._wide,
            "chain": self._chain,
            "slow": self._slow,
            "to": self._to,
            "loop": self._loop,
            "fails": self._fails,
            "big": self._big,
            "listed": self._listed,
            "secret": self._secret,
        }

    @property
    def roots(self) -> tuple[str, str]:
        """The first pages of both."""
        return self.site.url("/"), self.polite.url("/")

    def forget(self) -> None:
        """Begin anew: what passes comes again, and nobody has asked for anything."""
        self._asked.clear()
        for site in (self.site, self.polite):
            site.ledger.forget()

    @property
    def requests(self) -> int:
        """How many there were."""
        return self.site.ledger.request_count + self.polite.ledger.request_count

    def counts(self) -> Counter[str]:
        """How often each URL was asked for."""
        return Counter(
            site.url(request.path)
            for site in (self.site, self.polite)
            for request in site.ledger.requests
        )

    def __enter__(self) -> Self:
        self.site.__enter__()
        self.polite.__enter__()
        self._write_down()
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.polite.__exit__(exc_type, exc, traceback)
        self.site.__exit__(exc_type, exc, traceback)

    def _write_down(self) -> None:
        main = self.site
        main.robots(f"User-agent: *\nDisallow: /secret\nSitemap: {main.url('/index.xml')}\n")
        parts = "".join(f"<sitemap><loc>{main.url(f'/s{n}.xml')}</loc></sitemap>" for n in (0, 1))
        main.file("/index.xml", f"<sitemapindex>{parts}</sitemapindex>".encode(), _XML)
        for n in (0, 1):
            listed = "".join(
                f"<url><loc>{main.url(f'/listed/{m}')}</loc></url>"
                for m in range(n * _LISTED, (n + 1) * _LISTED)
            )
            main.file(f"/s{n}.xml", f"<urlset>{listed}</urlset>".encode(), _XML)
        for n in range(6):
            main.answer(f"/cookie/{n}", self._cookie(n))
        for n in range(10):
            main.answer(f"/passes/{n}", self._passes(f"/passes/{n}", (503, 504, 502, 429)[n % 4]))
        for n in range(3):
            main.reset(f"/reset/{n}", after=b"HTTP/1.1 200 OK\r\nContent-Le" if n else b"")
        main.generate(self._answer)
        self.polite.robots(f"User-agent: *\nCrawl-delay: {_CRAWL_DELAY_S}\n")
        links = [f"/p/{n}" for n in range(25)]
        self.polite.page("/", title="Polite", links=[*links, main.url("/wide/3")])
        for link in links:
            self.polite.page(link, title=link, links=[main.url(f"/tree/{link[3:]}"), "/"])

    def _cookie(self, n: int) -> Callable[[Request], Response]:
        """Sends to itself whoever has not its cookie."""

        def answer(request: Request) -> Response:
            if f"seen{n}=yes" in (request.header("cookie") or ""):
                return Response(body=html_page(f"Cookie {n}", [f"/tree/{n}"]))
            set_it = ("Set-Cookie", f"seen{n}=yes; Path=/cookie/{n}")
            return Response(302, headers=(set_it, ("Location", f"/cookie/{n}")))

        return answer

    def _passes(self, path: str, status: int) -> Callable[[Request], Response]:
        """Fails once."""

        def answer(_request: Request) -> Response:
            self._asked[path] += 1
            if self._asked[path] == 1:
                return Response(status, b"later", "text/plain", (("Retry-After", "1"),))
            return Response(body=html_page(f"It passed {path}", ["/"]))

        return answer

    def _answer(self, path: str) -> Response | None:
        _, kind, *rest = path.split("/")
        if path == "/":
            return Response(body=html_page("Every shape", self._entrances()))
        if len(rest) != 1 or not rest[0].isdecimal():
            return None
        n = int(rest[0])
        chance = random.Random(f"{self._seed} {path}")
        made = self._made.get(kind)
        return None if made is None else made(n, chance)

    def _entrances(self) -> list[str]:
        return [
            *("/tree/0", "/chain/0", "/secret/1", "/gone/0", "/loop/0", "/fails/1", "/big/0"),
            *(f"/wide/{n}" for n in range(self._pages // 4)),
            *(f"/cookie/{n}" for n in range(6)),
            *(f"/passes/{n}" for n in range(10)),
            *(f"/reset/{n}" for n in range(3)),
            *(f"/to/{n}" for n in range(_REDIRECTS)),
        ]

    def _tree(self, n: int, chance: random.Random) -> Response | None:
        """Pages in a tree, with links across, some of them slow."""
        if n >= self._pages:
            return None
        links = [
            *(f"/tree/{below}" for below in range(3 * n + 1, 3 * n + 4) if below < self._pages),
            f"/tree/{chance.randrange(self._pages)}",
            f"/to/{chance.randrange(_REDIRECTS)}",
            *([f"/gone/{n}"] if n % 9 == 0 else []),
            *([f"/slow/{n}"] if n % 5 == 0 else []),
        ]
        words = " ".join(f"{chance.getrandbits(40):x}" for _ in range(40))
        return Response(body=html_page(f"Tree {n}", links, f"<p>{words}"), delay_s=0.02)

    def _wide(self, n: int, _chance: random.Random) -> Response | None:
        return Response(body=html_page(f"Wide {n}", ["/", "/tree/0"]), delay_s=0.01)

    def _chain(self, n: int, _chance: random.Random) -> Response | None:
        more = [f"/chain/{n + 1}"] if n < _CHAIN else []
        return Response(body=html_page(f"Chain {n}", [*more, f"/big/{n % 4}"]), delay_s=0.02)

    def _slow(self, n: int, chance: random.Random) -> Response | None:
        return Response(body=html_page(f"Slow {n}", ["/"]), delay_s=chance.uniform(*_SLOW_S))

    def _to(self, n: int, chance: random.Random) -> Response | None:
        """Redirects in chains, over both hosts, the last ones to what is gone."""
        onward = f"/to/{n + 1}" if n % 4 else f"/tree/{chance.randrange(self._pages)}"
        site = self.polite if n % 6 == 5 else self.site
        onward = f"/p/{n}" if site is self.polite else onward
        return Response(301 + n % 2, headers=(("Location", site.url(onward)),), delay_s=0.01)

    def _loop(self, n: int, _chance: random.Random) -> Response | None:
        return Response(302, headers=(("Location", f"/loop/{(n + 1) % 3}"),))

    def _fails(self, n: int, _chance: random.Random) -> Response | None:
        return Response(500, b"always", "text/plain") if n < 3 else None

    def _big(self, n: int, _chance: random.Random) -> Response | None:
        filler = "<p>word and word and word and word\n" * (_BIG // 35)
        return Response(body=html_page(f"Big {n}", [f"/tree/{n}"], filler)) if n < 4 else None

    def _listed(self, n: int, _chance: random.Random) -> Response | None:
        made = Response(body=html_page(f"Listed {n}", ["/listed/1"]), delay_s=0.02)
        return made if n < 2 * _LISTED else None

    def _secret(self, n: int, _chance: random.Random) -> Response | None:
        return Response(body=html_page(f"Secret {n}"))
