"""The parsed elements that a parser back end returns, before facts and links are extracted.

Back ends only find elements: which of them count, what a link means and how text is cleaned is
decided once for all back ends, in `gossamer.extract.links` and `gossamer.extract.facts`.
"""

from collections import defaultdict
from collections.abc import Iterable
from itertools import compress, groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from msgspec import Struct, field

from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import LinkPosition
from gossamer.model.page_prose import ProseRun

Attributes: TypeAlias = dict[str, str | None]
"""Attributes by their lower-case names; None and "" both stand for an empty value."""


class Element(NamedTuple):
    """An element with everything that links and facts are read from.

    `tag` is in lower case, `text` is raw: that of `WITH_TEXT`; of `style` and of JSON-LD in
    `script`, their content; of a refreshing `meta` in `noscript`, `IN_NOSCRIPT`; of a form field in
    `label`, `IN_LABEL`; "" for others. Text in `UNREAD` is left out, and a space separates pieces
    where one of `BREAKS` begins or ends between them. If nothing is left, it is the alternative of
    the first element in it that has one: its aria-label, but not in a heading; for an image, its
    alternative text; for a drawing, its title. In a heading, `ALT_MARK` precedes it, and in an `a`
    if it is an image's. In a page of many links, no more than the first `MAX_TEXT_NODES` nodes of
    an element need be read, `MAX_PAGE_TEXT_NODES` in total, and `MAX_TEXT` of a text; each
    `NODE_TEXT` of it counts as one more node. In the results of back ends, `aria-labelledby` has
    the text that its ids lead to (`label_references`).
    """

    tag: str
    attributes: Attributes
    text: str
    place: int = LinkPosition.CONTENT
    """A LinkPosition: HEAD for everything in the tree's `<head>`, else the part of the page."""
    path: int = 0
    """Indexes `ParsedElements.paths`."""


class Anchors(NamedTuple):
    """Plain links, with only target and text, as columns in document order.

    These are `a` with an href, which is not empty, and without rel, target, style, aria-label,
    aria-labelledby and attributes of `TYPED`, or a title that may be their only name. `hrefs` are
    without fragments; `fragment_indexes` are the indexes of those that have one, ascending, and
    `fragments` theirs, with a leading `#`. `texts` are one line of at most `MAX_LINE`, except those
    numbered in `uncleaned`. All that may be generic are among those numbered in `unclear`.
    `ends[i]` of the anchors precede element i. `traits` has a byte for each, its LinkPosition and
    PathType as in `link.traits`; `paths` has indexes, as in `Element`.
    """

    hrefs: list[str]
    fragment_indexes: list[int]
    fragments: list[str]
    texts: list[str]
    uncleaned: list[int]
    unclear: list[int]
    ends: list[int]
    traits: bytes = b""
    paths: list[int] = []  # noqa: RUF012 - never changed


NO_ANCHORS = Anchors([], [], [], [], [], [], [])


class MarkupShape(NamedTuple):
    """The frame of a page as written, without comments, scripts, styles, titles, text areas."""

    html_tags: int = 0
    head_tags: int = 0
    body_tags: int = 0
    is_body_before_html: bool = False
    is_head_not_first: bool = False
    """Something other than white space and comments is between `<html>` and `<head>`."""
    invalid_in_head: str | None = None
    """The first element between the tags of `head` that is not in `IN_HEAD`, in lower case."""
    has_lorem: bool = False
    """Whether the markup contains these words anywhere, in upper or lower case."""


USUAL_SHAPE = MarkupShape(html_tags=1, head_tags=1, body_tags=1)


class ParsedElements(Struct):
    """The relevant elements in document order, the language and the number of visible words.

    `elements` holds every element of `FOUND`, and every one with "url" in its style attribute or
    with an attribute of `TYPED`, but no `title`, `base` or `link` in SVG; none from inside a
    `template`. `language`
    is the lang attribute of `html`, None if there is none. `words`, `sentences`, `syllables` and
    `sketch` are those of the text of `body` without `UNSEEN` and without what does not count as
    content (`gossamer.extract.text_statistics`), and `phrases` those of its text nodes outside of
    links (`gossamer.extract.phrase_hashes`), content or not. What is in `anchors`, if the back end
    makes them, is not in `elements`.
    """

    elements: list[Element]
    language: str | None
    words: int
    phrases: list[int]
    anchors: Anchors = NO_ANCHORS
    paths: list[str] = field(default_factory=lambda: [""])
    """CSS paths of elements, such as `ul#menu > li > a`, each once. The first is "", for those
    without one."""
    sentences: int = 0
    syllables: int = 0
    text_length: int = 0
    """Characters of the visible text of the body; a run of white space is one."""
    sketch: bytes | None = None
    """Of the text that counts as content: see `gossamer.model.sketches`."""
    text: bytes = b""
    """The text that counts as content, in UTF-8, as far as it is wanted: see `text_lines`."""
    anchor_ids: bytes | None = None
    """The distinct `anchor_hash` of the ids that fragments can lead to, two bytes each,
    ascending."""
    are_anchors_cut: bool = False
    """Whether there are more than `MAX_ANCHOR_IDS`."""
    has_items: bool = False
    """Whether an element is an item of Microdata or RDFa: see `has_items`."""
    has_references: bool = False
    """Whether an element has `aria-labelledby`: see `label_references`."""
    shape: MarkupShape = MarkupShape()
    prose: list[ProseRun] = []
    """The text of the body to proofread, if that is wanted."""
    by_tag: dict[str, list[Element]] = {}
    """`elements` by their tags: most facts are about a few of them."""

    def __post_init__(self) -> None:
        by_tag: dict[str, list[Element]] = defaultdict(list)
        for tag, alike in groupby(self.elements, itemgetter(0)):
            by_tag[tag] += alike
        self.by_tag = dict(by_tag)

    @property
    def headings(self) -> list[Element]:
        """The headings of all levels."""
        if HEADINGS.isdisjoint(self.by_tag):
            return []
        tags = map(itemgetter(0), self.elements)
        return list(compress(self.elements, map(HEADINGS.__contains__, tags)))

    @property
    def is_full(self) -> bool:
        """Whether there may have been more elements than are examined."""
        return len(self.elements) + len(self.anchors.hrefs) >= MAX_ELEMENTS


HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

FORM_FIELDS = frozenset({"input", "select", "textarea"})

FOUND = frozenset(
    {*HEADINGS, *FORM_FIELDS, "base", "button", "label", "meta", "noscript", "style", "title"}
).union(*((*kind.declaration.elements, *kind.declaration.more_attributes) for kind in LinkKind))
"""The elements with links and facts, and those whose text is not seen."""

WITH_TEXT = frozenset({*HEADINGS, "a", "button", "label", "title"})
"""Elements whose text is read."""

PATHLESS = frozenset(
    {
        *(*HEADINGS, "base", "button", "label", "meta", "noscript", "option", "select"),
        *("textarea", "title"),
    }
)
"""Elements that no link is made from."""

MAX_LINE = 500
"""Characters of a link's text that are kept."""

MAX_TITLES = 20
"""Titles of a page that are examined; one is usual."""

ALT_MARK = "\0"
"""No text has it, for the HTML Standard replaces it (§13.2.5)."""

IN_NOSCRIPT = "noscript"
IN_LABEL = "label"
"""Stands for the text of a form field in a `label`."""
JSON_LD = "application/ld+json"
TYPED = frozenset({"itemprop", "itemscope", "property", "typeof"})
"""Attributes of Microdata and RDFa."""
MAX_PARENTS = 20
"""How far up `noscript` and `label` are searched for, and what a text in a link is a line of."""

UNSEEN = frozenset({"script", "style", "noscript", "iframe", "title"})
"""Elements whose text is not visible in the page."""

UNREAD = frozenset({"script", "style", "title"})
"""Elements whose text is not part of the text around them; a `title` there is a drawing's."""

BREAKS = frozenset(
    {
        *("address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details"),
        *("dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li", "main"),
        *(
            "menu",
            "nav",
            "ol",
            "optgroup",
            "option",
            "p",
            "pre",
            "search",
            "section",
            "summary",
            "table",
            "tbody",
            "td",
        ),
        *("tfoot", "th", "thead", "tr", "ul"),
    }
)
"""Elements that begin on a line of their own (HTML Standard §15.3), table cells, and `br`."""

FOREIGN = frozenset({"svg", "math"})
"""Elements whose titles are not titles of the page: their namespace is not HTML's."""
OF_HTML_ALONE = frozenset({"base", "link"})
"""Elements that mean nothing in those."""
APART = frozenset({"br", "button", "select", "svg", "text", "textarea"})
"""Elements that separate words but not sentences."""

MAX_TEXT = 40_000
"""Characters, or bytes of UTF-8 if those are at hand; at most 10,000 of any text are kept."""
MAX_TEXT_NODES = 1000
MAX_PAGE_TEXT_NODES = 500_000
NODE_TEXT = 64
"""Links can be nested in each other without end; reading each in full would be quadratic, and 450
of them around 5 MB of text would take 2 GB."""

MAX_ELEMENTS = 100_000
"""Elements found in a page; more than the links that are kept."""

IN_HEAD = frozenset(
    {
        *("base", "basefont", "bgsound", "link", "meta", "noframes", "noscript", "script"),
        *("style", "template", "title"),
    }
)
"""Elements allowed in `head`; others end it (HTML Standard §13.2.6.4.4)."""


def is_refresh(attributes: Attributes) -> bool:
    """Whether a `meta` with these attributes is meant as a refresh."""
    return (attributes.get("http-equiv") or "").lower() == "refresh"


def has_items(elements: Iterable[Element]) -> bool:
    """Whether one of them is an item of Microdata, or has an RDFa type."""
    return any("itemscope" in each[1] or "typeof" in each[1] for each in elements)


def is_json_ld(attributes: Attributes) -> bool:
    """Whether a `script` with these attributes is structured data."""
    return (attributes.get("type") or "").partition(";")[0].strip(" \t\n\f\r").lower() == JSON_LD
