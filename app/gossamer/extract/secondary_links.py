"""Links that stand elsewhere than in an element's main attribute."""

from collections.abc import Iterator
from typing import NamedTuple

from gossamer.extract.css import css_urls
from gossamer.extract.parsed_elements import Attributes, Element
from gossamer.extract.srcset import srcset_urls
from gossamer.model.link_kinds import LinkKind
from gossamer.model.text import one_line
from gossamer.urls.refresh_header import read_refresh

MAX_ELEMENT = 60
"""Characters of `Link.element`; tag names can be of any length."""

WITH_MORE = frozenset({"img", "source", "link", "video", "input", "button", "meta", "style"})
"""The elements that `further_links` is to be asked about, beside those with a style attribute."""

_IMAGES = {"img": "srcset", "source": "srcset", "link": "imagesrcset", "video": "poster"}
_OPEN_GRAPH = frozenset(
    {
        *("og:url", "og:image", "og:image:url", "og:image:secure_url"),
        *("og:video", "og:video:url", "og:video:secure_url"),
        *("og:audio", "og:audio:url", "og:audio:secure_url"),
        *("twitter:image", "twitter:image:src"),
    }
)


class FurtherLink(NamedTuple):
    """A link as written. Fields are those of `gossamer.model.page.Link` of the same names."""

    href: str
    kind: LinkKind
    element: str
    text: str = ""


def further_links(element: Element) -> Iterator[FurtherLink]:
    """What an element links to beside its main attribute."""
    tag, attributes, text = element
    if tag == "style":
        yield from _sheet(attributes, text)
    elif tag == "meta":
        yield from _meta(attributes)
    elif tag in {"input", "button"}:
        yield from _button(tag, attributes)
    else:
        yield from _images(tag, attributes)
    if style := attributes.get("style"):
        name = one_line(f"{tag[:MAX_ELEMENT]} style", MAX_ELEMENT)
        for url in css_urls(style):
            yield FurtherLink(url, LinkKind.CSS, name)


def refresh_of(attributes: Attributes) -> tuple[int, str | None] | None:
    """Delay and URL as written of a `<meta>`, as `read_refresh` gives them."""
    if (attributes.get("http-equiv") or "").lower() != "refresh":
        return None
    return read_refresh(attributes.get("content") or "")


def _images(tag: str, attributes: Attributes) -> Iterator[FurtherLink]:
    """The images in attributes that only this element has."""
    name = _IMAGES.get(tag, "")
    value = attributes.get(name)
    if value:
        for url in [value] if name == "poster" else srcset_urls(value):
            yield FurtherLink(url, LinkKind.IMAGE, f"{tag} {name}", attributes.get("alt") or "")


def _button(tag: str, attributes: Attributes) -> Iterator[FurtherLink]:
    is_image = tag == "input" and (attributes.get("type") or "").lower() == "image"
    if is_image and (src := attributes.get("src")):
        yield FurtherLink(src, LinkKind.IMAGE, "input", attributes.get("alt") or "")
    if "formaction" in attributes:
        yield FurtherLink(attributes["formaction"] or "", LinkKind.FORM, f"{tag} formaction")


def _meta(attributes: Attributes) -> Iterator[FurtherLink]:
    refresh = refresh_of(attributes)
    if refresh is not None and refresh[1] is not None:
        yield FurtherLink(refresh[1], LinkKind.META_REFRESH, "meta refresh")
    name = (attributes.get("property") or attributes.get("name") or "").strip().lower()
    if name in _OPEN_GRAPH and (content := (attributes.get("content") or "").strip()):
        yield FurtherLink(content, LinkKind.OPEN_GRAPH, f"meta {name}")


def _sheet(attributes: Attributes, text: str) -> Iterator[FurtherLink]:
    if (attributes.get("type") or "text/css").strip().lower() == "text/css":
        for url in css_urls(text):
            yield FurtherLink(url, LinkKind.CSS, "style")
