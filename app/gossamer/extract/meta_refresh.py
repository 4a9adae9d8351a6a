"""Where a page sends its visitors by itself: `<meta http-equiv="refresh">`."""

from collections.abc import Sequence

from gossamer.extract.parsed_elements import IN_NOSCRIPT, Attributes, Element
from gossamer.model.visit import Refresh
from gossamer.urls.refresh_directive import read_refresh
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import is_http


def refresh_of(attributes: Attributes) -> tuple[int, str | None] | None:
    """Delay and URL as written of a `<meta>`, as `read_refresh` gives them."""
    if (attributes.get("http-equiv") or "").lower() != "refresh":
        return None
    return read_refresh(attributes.get("content") or "")


def first_refresh(elements: Sequence[Element], base: Base, url: str) -> Refresh | None:
    """The `<meta http-equiv="refresh">` that counts, if it leads from `url` to another page.

    The first that is valid counts, also where it loads the same page again (HTML Standard
    §4.2.5.3, "will declaratively refresh"). Those in `noscript` are for visitors without
    scripts.
    """
    for tag, attributes, text in elements:
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
