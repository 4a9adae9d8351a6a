"""Finds the part of a page that a link is in (its position), and writes the CSS path to it.

The nearest landmark around an element decides, by its role or its name (HTML-AAM 1.0); without one,
the nearest element whose class or id names a part of the page.

A path such as `#menu > li.item > a` is for people, and the same for all pages of a template: it
begins at an id that looks like one of the template, and has at most `MAX_STEPS` and no positions.

C does the same (`app/gossamer/extract/native/positions.h`).
"""

from collections.abc import Callable
from typing import Final, Generic, NamedTuple, TypeVar

from gossamer.extract.parsed_elements import PATHLESS, Attributes
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.link_traits import LinkPosition

NodeT = TypeVar("NodeT")

LANDMARKS: Final = {
    "head": LinkPosition.HEAD,
    "nav": LinkPosition.NAVIGATION,
    "header": LinkPosition.HEADER,
    "main": LinkPosition.CONTENT,
    "aside": LinkPosition.ASIDE,
    "footer": LinkPosition.FOOTER,
}
_ROLES: Final = {
    b"navigation": LinkPosition.NAVIGATION,
    b"banner": LinkPosition.HEADER,
    b"main": LinkPosition.CONTENT,
    b"complementary": LinkPosition.ASIDE,
    b"contentinfo": LinkPosition.FOOTER,
}
_UNKNOWN: Final = LinkPosition.UNKNOWN
MAX_STEPS: Final = 5
MAX_PATH: Final = 120
MAX_READ: Final = 200
"""Bytes of a class or id that are read."""
WITHOUT_ID: Final = frozenset(
    (
        *("a", "article", "body", "dd", "dt", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "html"),
        *("img", "input", "label", "li", "option", "p", "pre", "section", "span", "td", "th", "tr"),
    )
)
"""Elements whose ids are mostly those of single entries, as link targets."""
WITHOUT_CLASS_PLACE: Final = frozenset({"html", "body"})
"""Their classes say what the page has, not where it is."""

_TOKEN = lazy_pattern(rb"[^ \t\n\f\r]+")
_NAME = lazy_pattern(rb"[A-Za-z_-]{1,24}")
_TAG = lazy_pattern(r"[a-z0-9-]{1,24}")
_WORD = lazy_pattern(rb"[A-Z]?[a-z]+|[A-Z]+")
_NEGATED: Final = frozenset({b"has", b"js", b"no", b"with", b"without"})


class Described(NamedTuple, Generic[NodeT]):
    """What must be known of a node; `parent` is None for that of `html`."""

    key: int
    parent: NodeT | None
    tag: str
    attributes: Attributes


class _Spot(NamedTuple):
    """What an element means for those in it."""

    landmark: LinkPosition
    by_class: LinkPosition
    steps: tuple[str, ...]
    """The path down to it."""


_OUTSIDE: Final = _Spot(_UNKNOWN, _UNKNOWN, ())


class ElementPositions(Generic[NodeT]):
    """Positions and paths of the elements of one page."""

    def __init__(self, describe: Callable[[NodeT], Described[NodeT]]) -> None:
        self.paths = [""]
        """Each path once; the first is that of elements without one."""
        self._describe = describe
        self._indexes: dict[str, int] = {"": 0}
        self._spots: dict[int, _Spot] = {}

    def of(self, node: NodeT) -> tuple[LinkPosition, int]:
        """The position of this element, and the index of its path in `paths`."""
        described = self._describe(node)
        around = _OUTSIDE if described.parent is None else self._spot(described.parent)
        place = around.landmark or around.by_class or LinkPosition.CONTENT
        if described.tag in PATHLESS:
            return place, 0
        path = _joined(_steps(described, around))
        index = self._indexes.setdefault(path, len(self.paths))
        if index == len(self.paths):
            self.paths.append(path)
        return place, index

    def _spot(self, node: NodeT) -> _Spot:
        chain: list[Described[NodeT]] = []
        spot = _OUTSIDE
        at: NodeT | None = node
        while at is not None:
            described = self._describe(at)
            if described.key in self._spots:
                spot = self._spots[described.key]
                break
            chain.append(described)
            at = described.parent
        for described in reversed(chain):
            spot = self._spots[described.key] = _spot_of(described, spot)
        return spot


def _spot_of(element: Described[NodeT], around: _Spot) -> _Spot:
    attributes = element.attributes
    role = _read(attributes.get("role")).strip(b" \t\n\f\r").lower()
    landmark = _ROLES.get(role) or LANDMARKS.get(element.tag) or around.landmark
    by_class = _place_by_class(element, around.by_class)
    return _Spot(landmark, by_class, _steps(element, around))


def _place_by_class(element: Described[NodeT], around: LinkPosition) -> LinkPosition:
    if element.tag in WITHOUT_CLASS_PLACE:
        return _UNKNOWN
    best = LinkPosition.CONTENT if element.tag == "article" else _UNKNOWN
    rank = _RANK[best]
    for value in (element.attributes.get("class"), element.attributes.get("id")):
        for token in _TOKEN.findall(_read(value)):
            words = [word.lower() for word in _WORD.findall(token)]
            if not _NEGATED.isdisjoint(words):
                continue
            for word in words:
                place = _place_of_word(word)
                if _RANK[place] > rank:
                    best, rank = place, _RANK[place]
    # As with the elements: content may have a header of its own.
    is_own = around is LinkPosition.CONTENT and best in {LinkPosition.HEADER, LinkPosition.FOOTER}
    return around if is_own or best is _UNKNOWN else best


_RANK: Final = {
    LinkPosition.UNKNOWN: 0,
    LinkPosition.CONTENT: 1,
    LinkPosition.HEADER: 2,
    LinkPosition.ASIDE: 3,
    LinkPosition.FOOTER: 4,
    LinkPosition.NAVIGATION: 5,
}
"""Which part wins if a class names several: the highest."""


def _place_of_word(word: bytes) -> LinkPosition:
    """The part of the page that this word of a class or id, in lower case, names."""
    is_nav = word.startswith((b"nav", b"breadcrumb")) or word.endswith(b"nav") or b"menu" in word
    if is_nav and not word.startswith(b"navy"):
        return LinkPosition.NAVIGATION
    for name, place in _PARTS:
        if word.startswith(name) or word.endswith(name):
            return place
    return _WHOLE_WORDS.get(word, _UNKNOWN)


_PARTS: Final = (
    (b"footer", LinkPosition.FOOTER),
    (b"sidebar", LinkPosition.ASIDE),
    (b"header", LinkPosition.HEADER),
    (b"content", LinkPosition.CONTENT),
)
_WHOLE_WORDS: Final = {
    b"aside": LinkPosition.ASIDE,
    b"masthead": LinkPosition.HEADER,
    b"topbar": LinkPosition.HEADER,
    b"main": LinkPosition.CONTENT,
    b"article": LinkPosition.CONTENT,
}


def _steps(element: Described[NodeT], around: _Spot) -> tuple[str, ...]:
    """The path down to an element."""
    tag = element.tag if _TAG.fullmatch(element.tag) else "*"
    name = "" if element.tag in WITHOUT_ID else _template_id(element.attributes)
    if name or element.tag in {"body", "head", "html"}:
        return (f"{tag}#{name}" if name else tag,)
    own = _first_class(element.attributes)
    step = f"{tag}.{own}" if own else tag
    return (*around.steps[1 - MAX_STEPS :], step)


def _template_id(attributes: Attributes) -> str:
    """The id, if it looks like one that all pages of a template have."""
    name = _read(attributes.get("id"))
    is_usual = _NAME.fullmatch(name) is not None and not name.isupper()
    return str(name, "ascii") if is_usual else ""


def _first_class(attributes: Attributes) -> str:
    for name in _TOKEN.findall(_read(attributes.get("class"))):
        if _NAME.fullmatch(name):
            return str(name, "ascii")
    return ""


def _read(value: str | None) -> bytes:
    return (value or "").encode()[:MAX_READ]


def _joined(steps: tuple[str, ...]) -> str:
    """The path, without its first steps if it would be too long."""
    path = " > ".join(steps)
    while len(path) > MAX_PATH:
        path = path.partition(" > ")[2]
    return path
