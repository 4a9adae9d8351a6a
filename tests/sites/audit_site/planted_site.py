"""The vocabulary: pages without a fault, pages with one, and which rules hold for each URL.

Written from the definitions of the rules, not from the code that decides them.
"""

import random
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final

from tests.sites.responses import HTML, Response
from tests.sites.site import Site

Headers = Sequence[tuple[str, str]]

HEADERS: Final[Headers] = (
    ("Content-Security-Policy", "default-src 'self'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "strict-origin-when-cross-origin"),
)
HTTP_URL: Final = "Security: HTTP URLs"
SELF_CANONICAL: Final = ("Canonicals: Contains Canonical", "Canonicals: Self Referencing")
JSON_LD: Final = ("Structured Data: Contains Structured Data", "Structured Data: JSON-LD URLs")
BLOCKED: Final = "Response Codes: Internal Blocked by Robots.txt"
_WORDS: Final = (
    "barn bead bird boat book branch bread brook bulb cat chair cloud corn cow crop dawn deer dew "
    "dog door duck dust egg farm fence fern field fig fish flag flax frog frost fruit gate geese "
    "glass goat grain grape grass green ground hare hay hedge hen herb hill hive horse jam "
    "lamb lamp land lark leaf leek light lime log lunch mint mist moon moss mouse mud nest night "
    "nut oak path peach pear pig pine pink plant plum pond pot rain ram reed road root rose "
    "sage salt sand seed sheep shell shrub sky snail snow soil song soup spade spring star stem "
    "stone storm straw stream sun swan thorn toad toast tool tree tub vine wasp wax web weed "
    "well wheat wind wing wood wool worm yard"
)
_LONGEST_DELAY_S: Final = 0.02
_SENTENCE: Final = 8
_USUAL_WORDS: Final = 260


def words(seed: str, count: int, of: str = _WORDS) -> str:
    """So many words in sentences of eight, other ones for each seed."""
    chosen = random.Random(seed).choices(of.split(), k=count)
    sentences = [
        " ".join(chosen[start : start + _SENTENCE]).capitalize() + "."
        for start in range(0, count, _SENTENCE)
    ]
    return f"<p>{' '.join(sentences)}</p>"


def title(text: str) -> str:
    """A title with that text, which may be HTML."""
    return f"<title>{text}</title>"


def description(text: str) -> str:
    """A meta description with that text."""
    return f'<meta name="description" content="{text}">'


def canonical(url: str, more: str = "") -> str:
    """A canonical, with any further attributes."""
    return f'<link rel="canonical" href="{escape(url)}"{more}>'


def robots(content: str, name: str = "robots") -> str:
    """A robots meta element."""
    return f'<meta name="{name}" content="{content}">'


class PlantedSite:
    """A site that says which rules hold for its URLs: for a page, `always` and those named.

    All its pages are linked from its home page and lead back to it.
    """

    def __init__(
        self,
        site: Site,
        always: Iterable[str],
        headers: Headers = HEADERS,
        delays: random.Random | None = None,
    ) -> None:
        """With `delays`, each page is answered after another one of some milliseconds."""
        self.site = site
        self.holds: dict[str, frozenset[str]] = {}
        """The rules that hold, for each URL."""
        self.open: dict[str, frozenset[str] | None] = {}
        """Rules that may hold or not, by URL; None for all but those that hold."""
        self.never: dict[str, frozenset[str]] = {}
        """Of a URL of which all is open: rules that must not hold."""
        self.for_standard: set[str] = set()
        """URLs of pages that only a parser builds right that follows the HTML standard."""
        self.always = frozenset(always)
        """What holds for each page without fault."""
        self.headers = tuple(headers)
        self._delays = delays
        self._links: list[tuple[str, str]] = []
        self._number = 0

    def url(self, path: str) -> str:
        """The absolute URL of a path."""
        return self.site.url(path)

    def is_unclear(self, url: str, rule: str) -> bool:
        """Whether a rule may hold for a URL or not."""
        unclear = self.open.get(url, frozenset())
        return rule not in self.never.get(url, ()) if unclear is None else rule in unclear

    def expect(
        self, url: str, *holds: str, unclear: Iterable[str] | None = (), never: Iterable[str] = ()
    ) -> None:
        """A URL for which these rules hold and no other.

        `unclear` rules may hold or not, all others if it is None, except those that `never` hold.
        """
        url = self.url(url) if url.startswith("/") else url
        assert url not in self.holds, url
        self.holds[url] = frozenset(holds)
        self.open[url] = None if unclear is None else frozenset(unclear)
        self.never[url] = frozenset(never)

    def page(
        self,
        path: str,
        *holds: str,
        lacks: Iterable[str] = (),
        unclear: Iterable[str] | None = (),
        never: Iterable[str] = (),
        linked: bool = True,
        headers: Headers | None = None,
        more_headers: Headers = (),
        status: int = 200,
        document: str | None = None,
        for_standard: bool = False,
        **parts: Any,
    ) -> None:
        """A page without fault, but for the parts given as HTML: see `clean_document`.

        `lacks` are rules that hold for other pages of the site. `document` is its whole text.
        """
        if for_standard:
            self.for_standard.add(self.url(path))
        self._number += 1
        heading = f"Garden bed {self._number:04}"
        if linked:
            self._links.append((path, heading))
        if document is None:
            parts.setdefault("canonical", canonical(self.url(path)))
            document = clean_document(self._number, heading, **parts)
        usual = self.headers if headers is None else tuple(headers)
        body = document.encode()
        delay_s = self._delays.random() * _LONGEST_DELAY_S if self._delays else 0.0
        self.site.respond(path, Response(status, body, HTML, (*usual, *more_headers), delay_s))
        rules = [] if unclear is None else self.always - set(lacks)
        self.expect(path, *rules, *holds, unclear=unclear, never=never)

    def noindex(self, path: str, *holds: str, linked: bool = True, **parts: Any) -> None:
        """A page that is not to be indexed, with whatever else."""
        head = robots("noindex") + parts.pop("head", "")
        lacks = self.always - {HTTP_URL}
        self.page(
            path,
            "Directives: Noindex",
            *holds,
            lacks=lacks,
            canonical="",
            head=head,
            linked=linked,
            **parts,
        )

    def canonicalised(
        self, path: str, target: str, *holds: str, unclear: Iterable[str] = (), **parts: Any
    ) -> None:
        """A page whose canonical is another URL."""
        lacks = self.always - {HTTP_URL, SELF_CANONICAL[0]}
        self.page(
            path,
            "Canonicals: Canonicalised",
            *holds,
            lacks=lacks,
            unclear=unclear,
            canonical=canonical(self.url(target) if target.startswith("/") else target),
            **parts,
        )

    def file(
        self, path: str, body: bytes, content_type: str, *holds: str, more_headers: Headers = ()
    ) -> None:
        """Anything that is no page."""
        headers = (*self.headers, *more_headers)
        self.site.respond(path, Response(200, body, content_type, headers))
        self.expect(path, HTTP_URL, *holds)

    def chunked_file(self, path: str, body: bytes, content_type: str, *holds: str) -> None:
        """Anything that is no page, whose headers do not tell its size."""
        content = b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        headers = (*self.headers, ("Transfer-Encoding", "chunked"))
        self.site.respond(path, Response(200, content, content_type, headers))
        self.expect(path, HTTP_URL, *holds)

    def image(self, path: str, *holds: str, size: int = 99) -> str:
        """An image; its URL."""
        self.file(path, _PNG + bytes(size - len(_PNG)), "image/png", *holds)
        return path

    def redirect(self, path: str, target: str, *holds: str, linked: bool = True) -> None:
        """A redirect, for which the rule on redirects holds."""
        self.link(path, linked=linked)
        self.site.redirect(path, target, status=301)
        self.expect(path, HTTP_URL, "Response Codes: Internal Redirection (3xx)", *holds)

    def status(self, path: str, status: int, *holds: str, linked: bool = True) -> None:
        """An error, for which these rules hold."""
        self.link(path, linked=linked)
        self.site.status(path, status, headers=self.headers)
        self.expect(path, HTTP_URL, *holds)

    def gone(self, path: str, *, unclear: Iterable[str] = ()) -> None:
        """A URL that pages name without linking to it, and that is not there."""
        self.site.status(path, 404, headers=self.headers)
        self.expect(path, HTTP_URL, "Response Codes: Internal Client Error (4xx)", unclear=unclear)

    def blocked(self, path: str, *holds: str) -> None:
        """A URL that robots.txt disallows."""
        self.expect(path, HTTP_URL, BLOCKED, *holds)

    def unfetched(self, path: str, *holds: str) -> None:
        """A URL that pages name without leading to it, so that it is not asked."""
        self.expect(path, *holds, unclear=(HTTP_URL,))

    def link(self, path: str, text: str = "", *, linked: bool = True) -> None:
        """Link any URL from the home page."""
        self._number += 1
        if linked:
            self._links.append((path, text or f"Garden path {self._number:04}"))

    def home(self, *holds: str, unclear: Iterable[str] = ()) -> None:
        """The home page, after all others were declared."""
        links = "".join(f'<li><a href="{escape(to)}">{text}</a></li>' for to, text in self._links)
        self.page("/", *holds, unclear=unclear, body=f"<ul>{links}</ul>", linked=False)


_PNG: Final = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"


def clean_document(
    number: int,
    heading: str,
    *,
    canonical: str,
    html: str = '<html lang="en">',
    title: str | None = None,
    description: str | None = None,
    viewport: str = '<meta name="viewport" content="width=device-width, initial-scale=1">',
    data: str | None = None,
    head: str = "",
    h1: str | None = None,
    h2: str | None = None,
    text: str | None = None,
    body: str = "",
    back: str = '<p><a href="/">Back to the garden gate</a></p>',
) -> str:
    """An HTML page without fault; each part can be replaced by other HTML, or by nothing."""
    if title is None:
        title = f"<title>Planted page number {number:04} of our own garden</title>"
    if description is None:
        says = f"What page {number:04} says of itself, in some eighty to a hundred characters of"
        description = f'<meta name="description" content="{says} plain text">'
    if data is None:
        item = f'{{"@context": "https://schema.org", "@type": "WebPage", "name": "Bed {number}"}}'
        data = f'<script type="application/ld+json">{item}</script>'
    h1 = f"<h1>{heading}</h1>" if h1 is None else h1
    h2 = f"<h2>Plants that grow in bed {number:04}</h2>" if h2 is None else h2
    text = words(str(number), _USUAL_WORDS) if text is None else text
    return (
        f'<!doctype html>\n{html}\n<head>\n<meta charset="utf-8">\n{title}\n{description}\n'
        f"{viewport}\n{canonical}\n{data}\n{head}\n</head>\n<body>\n<main>\n{h1}\n{h2}\n{text}\n"
        f"{body}\n{back}\n</main>\n</body>\n</html>\n"
    )
