"""Extracts title, headings, description and other facts from a parsed page."""

from collections.abc import Sequence

from gossamer.extract.css_and_srcset_urls import refresh_of
from gossamer.extract.links import MAX_AS_WRITTEN, MAX_TARGET
from gossamer.extract.parsed_elements import ALT_MARK, IN_NOSCRIPT, Element, ParsedElements
from gossamer.extract.text_analysis import MAX_PHRASES, phrases_in
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.text_cleaning import clean_text, one_line
from gossamer.model.visit import Refresh
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import is_http

_ROBOTS = "robots"
_MAX_ROBOTS = 100


def read_facts(
    parsed: ParsedElements,
    base: Base,
    content_hash: bytes,
    robot: str = "",
    address: bytes = b"",
) -> PageFacts:
    """The facts of a page whose relative URLs are relative to `base`.

    Elements that name the crawler `robot`, in lower case, are for robots too. `address` is
    that of the page, percent-decoded.
    """
    facts: dict[str, str] = {}
    to_robots: list[str] = []
    for element in parsed.metadata:
        for fact, value in _facts_in(element, base, robot):
            if fact == _ROBOTS:
                to_robots.append(value)
            facts.setdefault(fact, value)
    if len(to_robots) > 1:
        # They hold together, as the fields of X-Robots-Tag do.
        facts[_ROBOTS] = one_line(", ".join(filter(None, to_robots[:_MAX_ROBOTS])))
    language = parsed.language
    phrases = parsed.phrases
    if len(phrases) < MAX_PHRASES:  # it says little: what is said of it counts too
        said = filter(None, (facts.get("title"), facts.get("description")))
        phrases = phrases_in(said, address, phrases)
    return PageFacts(
        title=facts.get("title"),
        h1=facts.get("h1"),
        description=facts.get("description"),
        robots=facts.get(_ROBOTS),
        canonical=facts.get("canonical"),
        language=None if language is None else one_line(language, 100),
        word_count=parsed.words,
        content_hash=content_hash,
        phrases=phrases,
    )


def _facts_in(element: Element, base: Base, robot: str) -> tuple[tuple[str, str], ...]:
    """What one element says: a fact's name and value, or nothing."""
    tag, attributes, text = element[:3]
    if tag in {"title", "h1"}:
        return ((tag, one_line(text.removeprefix(ALT_MARK))),)
    if tag == "meta":
        name = (attributes.get("name") or "").strip().lower()
        if name in {"description", _ROBOTS} or (name == robot and robot):
            fact = _ROBOTS if name == robot else name
            return ((fact, one_line(attributes.get("content") or "")),)
    elif tag == "link" and "canonical" in (attributes.get("rel") or "").lower().split():
        return (("canonical", _canonical(attributes.get("href") or "", base)),)
    return ()


def _canonical(href: str, base: Base) -> str:
    """What `<link rel="canonical">` names: a serialised URL, or `href` where it is none."""
    if not href:
        return ""
    url = base.join(href)
    return clean_text(href.strip(), MAX_AS_WRITTEN) if url is None else url[:MAX_TARGET]


def first_refresh(elements: Sequence[Element], base: Base, url: str) -> Refresh | None:
    """The `<meta http-equiv="refresh">` that counts, if it leads from `url` to another page.

    The first that is valid counts, also where it loads the same page again (HTML Standard
    §4.2.5.3, "will declaratively refresh"). Those in `noscript` are for visitors without
    scripts.
    """
    for tag, attributes, text, *_ in elements:
        if tag != "meta" or text == IN_NOSCRIPT:
            continue
        refresh = refresh_of(attributes)
        if refresh is None:
            continue
        delay_s, href = refresh
        target = url if href is None else base.join(href)
        if target is None or target.startswith("javascript:"):
            continue
        return Refresh(delay_s, target) if target != url and is_http(target) else None
    return None
