"""Renders documents of the demo site as HTML."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from string import Template

from gossamer.model.program_resources import resource_path

MUSEUM = "The Gossamer Museum"
_RIGHT_TO_LEFT = {"ar"}


@dataclass(frozen=True, slots=True)
class Document:
    """An HTML page before it is rendered.

    `path` is the address as a user reads it (not percent-encoded). `headline` and `title` are
    left out when empty. `canonical` and `alternates` are paths on the same site. `crumbs` are pairs
    of path and name, from the front door. `head` is additional HTML for the head. A `bare` document
    has no links at all.
    """

    path: str
    title: str
    body: str
    headline: str = ""
    description: str = ""
    lang: str = "en"
    crumbs: tuple[tuple[str, str], ...] = ()
    canonical: str = ""
    alternates: dict[str, str] = field(default_factory=dict)
    robots: str = ""
    refresh: str = ""
    charset: str = "utf-8"
    head: str = ""
    feed: bool = False
    bare: bool = False


class DocumentRenderer:
    """Renders documents in the museum's design; `origin` makes canonical URLs absolute."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        self._page = Template(resource_path("demo", "page.html").read_text("utf-8"))
        self._bare = Template(resource_path("demo", "bare.html").read_text("utf-8"))

    def render(self, document: Document) -> bytes:
        """The document's bytes, in its charset."""
        template = self._bare if document.bare else self._page
        text = template.substitute(
            lang=document.lang,
            direction="rtl" if document.lang in _RIGHT_TO_LEFT else "ltr",
            head="\n".join(f"  {line}" for line in self._head(document)),
            crumbs=_crumbs(document.crumbs),
            headline=f"<h1>{escape(document.headline)}</h1>" if document.headline else "",
            body=document.body,
        )
        return text.encode(document.charset, "xmlcharrefreplace")

    def _head(self, document: Document) -> Iterable[str]:
        refresh = f"0; url={document.refresh}" if document.refresh else ""
        canonical = f"{self._origin}{document.canonical}" if document.canonical else ""
        lines = (
            # Only the header names Latin-1, as with old servers.
            ('<meta charset="{}">', document.charset.replace("iso-8859-1", "")),
            ("<title>{}</title>", document.title),
            ('<meta name="description" content="{}">', document.description),
            ('<meta name="robots" content="{}">', document.robots),
            ('<meta http-equiv="refresh" content="{}">', refresh),
            ('<link rel="canonical" href="{}">', canonical),
        )
        yield from (line.format(escape(value)) for line, value in lines if value)
        for lang, path in document.alternates.items():
            yield f'<link rel="alternate" hreflang="{lang}" href="{self._origin}{path}">'
        if document.head:
            yield document.head
        if document.feed:
            yield '<link rel="alternate" type="application/rss+xml" href="/journal/feed.xml">'


def paragraph(text: str, css_class: str = "") -> str:
    """A paragraph of plain text."""
    return f"<p{_class(css_class)}>{escape(text)}</p>\n"


def anchor(path: str, text: str) -> str:
    """A link."""
    return f'<a href="{escape(path)}">{escape(text)}</a>'


def link_list(links: Iterable[tuple[str, str]], css_class: str = "") -> str:
    """A list of links, given as pairs of address and text."""
    items = "".join(f"  <li>{anchor(path, text)}</li>\n" for path, text in links)
    return f"<ul{_class(css_class)}>\n{items}</ul>\n"


def cards(items: Iterable[tuple[str, str, str]]) -> str:
    """A grid of cards, given as address, heading, text."""
    written = "".join(
        f"<li><h3>{anchor(path, heading)}</h3>{paragraph(text)}</li>\n"
        for path, heading, text in items
    )
    return f'<ul class="cards">\n{written}</ul>\n'


def facts(rows: Iterable[tuple[str, str]]) -> str:
    """A small table of facts; the second of each pair is HTML."""
    written = "".join(f"  <dt>{escape(name)}</dt><dd>{value}</dd>\n" for name, value in rows)
    return f"<dl>\n{written}</dl>\n"


def picture(path: str, caption: str) -> str:
    """A figure with its caption as alternative text too."""
    return (
        f'<figure><img src="{path}" alt="{escape(caption)}" width="320" height="240">'
        f"<figcaption>{escape(caption)}</figcaption></figure>\n"
    )


def _class(css_class: str) -> str:
    return f' class="{css_class}"' if css_class else ""


def _crumbs(crumbs: tuple[tuple[str, str], ...]) -> str:
    if not crumbs:
        return ""
    trail = " / ".join(anchor(path, name) for path, name in crumbs)
    return f'<nav class="crumbs" aria-label="You are here">{trail}</nav>'
