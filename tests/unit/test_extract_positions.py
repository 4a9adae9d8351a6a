"""In which part of a page a link is, and the path to it."""

import pytest

from gossamer.extract.html_page import extract
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import (
    LinkPosition,
    LinkTrait,
    PathType,
    path_type_of,
    position_of_link,
)
from gossamer.model.settings.request_settings import Parser
from gossamer.model.visit import Link
from tests.cases import each_case

URL = "https://example.com/docs/page.html"
LINK = "<a href=/x>x</a>"
both_parsers = pytest.mark.parametrize("parser", Parser)


def links(body: str, parser: Parser) -> list[Link]:
    markup = f"<html><head><title>t</title></head><body>{body}</body></html>"
    return list(extract(markup.encode(), URL, "utf-8", parser).links)


@both_parsers
@each_case(
    ("body", "place"),
    [
        (LINK, LinkPosition.CONTENT),
        (f"<nav><ul><li>{LINK}</ul></nav>", LinkPosition.NAVIGATION),
        (f"<header><p>{LINK}</header>", LinkPosition.HEADER),
        (f"<footer><nav>{LINK}</nav></footer>", LinkPosition.NAVIGATION),
        (f"<aside>{LINK}</aside>", LinkPosition.ASIDE),
        (f"<div role=contentinfo>{LINK}</div>", LinkPosition.FOOTER),
        (f"<div role=' Banner '>{LINK}</div>", LinkPosition.HEADER),
        (f"<aside><main>{LINK}</main></aside>", LinkPosition.CONTENT),
        (f"<div class='site mainMenu'>{LINK}</div>", LinkPosition.NAVIGATION),
        (f"<div id=page-footer><p>{LINK}</div>", LinkPosition.FOOTER),
        (f"<div class=left_sidebar>{LINK}</div>", LinkPosition.ASIDE),
        (f"<div class=has-sidebar>{LINK}</div>", LinkPosition.CONTENT),
        (f"<div class=navy>{LINK}</div>", LinkPosition.CONTENT),
        (f"<div id=content><div class=card-header>{LINK}</div></div>", LinkPosition.CONTENT),
        (f"<main><div class=menu>{LINK}</div></main>", LinkPosition.CONTENT),
    ],
)
def test_landmarks_decide_and_else_classes_and_ids(
    body: str, place: LinkPosition, parser: Parser
) -> None:
    (link,) = links(body, parser)
    assert position_of_link(link.traits) is place


@both_parsers
@each_case(
    ("body", "path"),
    [
        (LINK, "body > a"),
        (
            f"<div id=menu class=x><ul><li class='item p3'>{LINK}</ul></div>",
            "div#menu > ul > li.item > a",
        ),
        (f"<div id=post-7 class='p7 post'>{LINK}</div>", "body > div.post > a"),
        (f"<section id=intro>{LINK}</section>", "body > section > a"),
        ("<b><i><u><s><em><a class=y href=/x>x</a></em></s></u></i></b>", "i > u > s > em > a.y"),
    ],
)
def test_a_path_begins_at_an_id_of_the_template(body: str, path: str, parser: Parser) -> None:
    (link,) = links(body, parser)
    assert link.path == path


@both_parsers
@each_case(
    ("href", "written"),
    [
        ("https://example.com/a", PathType.ABSOLUTE),
        (" HTTP://example.com/a", PathType.ABSOLUTE),
        ("mailto:a@example.com", PathType.ABSOLUTE),
        ("//example.com/a", PathType.PROTOCOL_RELATIVE),
        ("/a", PathType.ROOT_RELATIVE),
        ("a/b:c", PathType.PATH_RELATIVE),
        ("#a", PathType.PATH_RELATIVE),
    ],
)
@each_case("attributes", ["", " rel=nofollow"])
def test_how_a_url_is_written(
    href: str, written: PathType, attributes: str, parser: Parser
) -> None:
    (link,) = links(f"<a href='{href}'{attributes}>x</a>", parser)
    assert path_type_of(link.traits) is written


@both_parsers
@each_case(
    ("body", "traits"),
    [
        ("<a href=/x target=_Blank>x</a>", LinkTrait.NEW_WINDOW),
        ("<form action=/x></form>", LinkTrait.FORM_FIELD),
        ("<img src=i>", LinkTrait.NO_ALT | LinkTrait.NO_SIZE),
        ("<img src=i alt=' ' width=1 height=1>", LinkTrait.EMPTY_ALT),
        ("<img src=i alt=i width=1>", LinkTrait.NO_SIZE),
        ("<nav><img src=i alt width=1 height=1></nav>", LinkTrait(0)),
        ("<aside><img src=i alt width=1 height=1></aside>", LinkTrait(0)),
        (
            "<aside><a href=/x><img src=i alt width=1 height=1></a></aside>",
            LinkTrait.EMPTY_ALT,
        ),
        ("<img srcset='i 1x, j 2x'>", LinkTrait.NO_ALT | LinkTrait.NO_SIZE),
        ("<img src srcset=i alt width=1 height=1>", LinkTrait.EMPTY_ALT),
        ("<img src=i srcset='j 2x'>", LinkTrait(0)),
        ("<picture><source srcset=i></picture>", LinkTrait(0)),
        ("<aside><a href=/x>x<img src=i alt width=1 height=1></a></aside>", LinkTrait(0)),
    ],
)
def test_what_links_and_images_lack(body: str, traits: LinkTrait, parser: Parser) -> None:
    link = links(body, parser)[-1]
    assert link.traits & ~0b111111 == traits


@both_parsers
def test_what_the_tree_has_in_the_head_is_in_the_head(parser: Parser) -> None:
    page = "<head><link rel=icon href=/1></head><body><link rel=icon href=/2>"
    head, body = extract(page.encode(), URL, "utf-8", parser).links
    assert position_of_link(head.traits) is LinkPosition.HEAD
    assert position_of_link(body.traits) is LinkPosition.CONTENT


@both_parsers
def test_what_follows_the_end_of_the_head_keeps_its_order(parser: Parser) -> None:
    icons = "".join(f"<link rel=icon href=/{number}>" for number in range(5))
    page = f"<head><x-y></x-y>{icons}</head><body><link rel=icon href=/5><link rel=icon href=/6>"
    read = extract(page.encode(), URL, "utf-8", parser)
    targets = [read.targets[link.target] for link in read.links]
    assert [each.rpartition("/")[2] for each in targets] == [*map(str, range(7))]


@both_parsers
@each_case("body", ["<body class=a>", "<p><body>", "<x-z><body><x-y>", ""])
def test_a_body_in_an_element_that_ends_the_head_is_read(body: str, parser: Parser) -> None:
    page = f"<head><link rel=icon href=/1><x-y>{body}<link rel=icon href=/2>"
    read = extract(page.encode(), URL, "utf-8", parser).links
    assert [*map(position_of_link, (link.traits for link in read))] == [
        LinkPosition.HEAD,
        LinkPosition.CONTENT,
    ]


@both_parsers
@each_case("element", ["<div>x</div>", "<x-y></x-y>", "<x-y>z", "<img src=data:,>"])
def test_what_does_not_belong_into_the_head_ends_it(element: str, parser: Parser) -> None:
    page = f"<head><link rel=icon href=/1>{element}<link rel=icon href=/2></head><body><p>x</p>"
    icons = [
        position_of_link(link.traits)
        for link in extract(page.encode(), URL, "utf-8", parser).links
        if link.kind is LinkKind.ICON
    ]
    assert icons == [LinkPosition.HEAD, LinkPosition.CONTENT]
