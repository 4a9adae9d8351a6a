"""The demo site's workshop: example pages, each with faults that its text explains.

The pages are declared in the other modules of this folder, some for each group of audit rules.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from gossamer.demo.html_builder import Document, DocumentRenderer, link_list, paragraph

WORKSHOP = "/workshop/"
ORIGIN = "{origin}"
"""Stands in heads and bodies for the address at which the site is served."""
HERE = ORIGIN + WORKSHOP
NOINDEX = '<meta name="robots" content="noindex">'
_CRUMBS = (("/", "Museum"), (WORKSHOP, "Workshop"))
_MOST_DESCRIBED = 150
_HTML = (("Content-Type", "text/html; charset=utf-8"),)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamplePage:
    """A page with a fault; without one for pages that others need.

    `path` is relative to the workshop. `fault` says what is wrong, `rules` under which names the
    audit lists the page, or what it names. `head` and `body` are HTML; `edit` receives the whole
    page. A page that is not `listed` is only linked from other examples, if at all.
    """

    path: str
    name: str
    fault: str
    rules: tuple[str, ...] = ()
    title: str | None = None
    headline: str | None = None
    description: str | None = None
    head: str = ""
    body: str = ""
    headers: Sequence[tuple[str, str]] = _HTML
    listed: bool = True
    bare: bool = False
    lang: str = "en"
    edit: Callable[[str], str] = str

    @property
    def address(self) -> str:
        """The path on the site."""
        return WORKSHOP + self.path

    @property
    def group(self) -> str:
        """The group of its first rule, such as "Page Titles"."""
        return self.rules[0].partition(":")[0] if self.rules else ""


def html_type(content_type: str = _HTML[0][1], **headers: str) -> tuple[tuple[str, str], ...]:
    """The headers of a page; underscores in their names stand for hyphens."""
    more = ((name.replace("_", "-"), value) for name, value in headers.items())
    return (("Content-Type", content_type), *more)


def canonical(path: str) -> str:
    """A canonical that is a page of the workshop."""
    return f'<link rel="canonical" href="{HERE}{path}">'


def workshop_index(pages: Iterable[ExamplePage]) -> Document:
    """The page that lists the examples by group."""
    listed = [page for page in pages if page.listed]
    body = paragraph(
        "A museum of webs also keeps the torn ones. Each page in this workshop has a fault of "
        "its own, made on purpose, and says what it is. Crawl the site, open the Issues tab, and "
        "find them again.",
        "lead",
    )
    for group, examples in groupby(listed, key=lambda page: page.group):
        body += f"<h2>{escape(group)}</h2>\n"
        body += link_list((page.address, page.name) for page in examples)
    return Document(
        path=WORKSHOP,
        title="Workshop: what a web page can get wrong",
        headline="The workshop",
        description="Example pages of the museum's workshop: what a web page can get wrong, from "
        "titles to structured data, each with one fault that it explains.",
        crumbs=_CRUMBS[:1],
        body=body,
    )


def rendered_examples(
    pages: Iterable[ExamplePage], renderer: DocumentRenderer, origin: str
) -> Iterator[tuple[ExamplePage, bytes]]:
    """Each page with its bytes."""
    for page in pages:
        html = renderer.render(_document(page)).decode()
        yield page, page.edit(html.replace(ORIGIN, origin)).encode()


def _document(page: ExamplePage) -> Document:
    said = paragraph(page.fault)
    if page.rules:
        said += "<p>In the Issues tab: " + ", ".join(map(escape, page.rules)) + ".</p>\n"
    title = f"{page.name} · Gossamer Museum Workshop" if page.title is None else page.title
    return Document(
        path=page.address,
        title=title,
        headline=page.name if page.headline is None else page.headline,
        description=_described(page.fault) if page.description is None else page.description,
        lang=page.lang,
        crumbs=() if page.bare else _CRUMBS,
        head=page.head,
        body=said + page.body,
        bare=page.bare,
    )


def _described(text: str) -> str:
    """The beginning of a text, as a description."""
    if len(text) <= _MOST_DESCRIBED:
        return text
    return text[:_MOST_DESCRIBED].rpartition(" ")[0] + " …"
