"""What elements link to is remembered where most pages of a site have the same ones."""

from collections.abc import Iterator

import pytest

from gossamer.extract.parsed_elements import Attributes, Element
from gossamer.extract.written_links import WrittenLink, written_links
from gossamer.model.link_kinds import LinkKind


@pytest.mark.parametrize(
    ("tag", "attributes", "href"),
    [
        ("link", {"rel": "stylesheet", "href": "/a.css"}, "/a.css"),
        ("script", {"src": "/a.js"}, "/a.js"),
        ("meta", {"property": "og:image", "content": "/a.png"}, "/a.png"),
    ],
)
def test_an_element_is_read_once(tag: str, attributes: Attributes, href: str) -> None:
    links = written_links(Element(tag, attributes, ""))
    assert [link.href for link in links] == [href]
    assert written_links(Element(tag, dict(attributes), "", place=2, path=3)) is links


def test_a_style_sheet_is_read_once() -> None:
    links = written_links(Element("style", {}, "p { background: url(/p.png) }"))
    assert [link.href for link in links] == ["/p.png"]
    assert written_links(Element("style", {}, "p { background: url(/p.png) }")) is links
    assert written_links(Element("style", {}, "p { background: url(/q.png) }")) != links


def test_one_with_another_attribute_is_another() -> None:
    sheet = Element("link", {"rel": "stylesheet", "href": "/b"}, "")
    icon = Element("link", {"rel": "icon", "href": "/b"}, "")
    kinds = [link.kind for element in (sheet, icon, sheet) for link in written_links(element)]
    assert kinds == [LinkKind.STYLESHEET, LinkKind.ICON, LinkKind.STYLESHEET]


def test_large_ones_are_not_kept_in_memory() -> None:
    element = Element("link", {"rel": "icon", "href": "data:" + "x" * 10_000}, "")
    assert written_links(element) is not written_links(element)
    assert list(written_links(element)) == list(written_links(element))


def test_a_large_style_sheet_gives_its_links_one_by_one() -> None:
    """A page worker has no room for all of a million: whoever asks stops at a limit."""
    links = written_links(Element("style", {}, "url(/x.png)" * 1_000))
    assert isinstance(links, Iterator)
    assert len(list(links)) == 1_000


def test_an_element_with_many_links_is_not_kept_in_memory() -> None:
    element = Element("style", {}, "url(/y.png)" * 30)
    links = written_links(element)
    assert len(list(links)) == 30
    assert written_links(element) is not links


def test_what_makes_no_links_gives_none() -> None:
    assert written_links(Element("h1", {"id": "x"}, "")) == ()
    assert written_links(Element("meta", {"charset": "utf-8"}, "")) == ()
    image = Element("h1", {"style": "background: url(/x.png)"}, "")
    assert list(written_links(image)) == [
        WrittenLink("/x.png", LinkKind.CSS, "h1 style", path_type=3 << 3)
    ]
