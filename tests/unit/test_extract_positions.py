"""In which part of a page a link is, and the path to it."""

import pytest

from gossamer.extract.html_page import extract
from gossamer.model.page_flags import (
    LinkPlace,
    LinkTrait,
    PathType,
    path_type_of,
    place_of,
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
        (LINK, LinkPlace.CONTENT),
        (f"<nav><ul><li>{LINK}</ul></nav>", LinkPlace.NAVIGATION),
        (f"<header><p>{LINK}</header>", LinkPlace.HEADER),
        (f"<footer><nav>{LINK}</nav></footer>", LinkPlace.NAVIGATION),
        (f"<aside>{LINK}</aside>", LinkPlace.ASIDE),
        (f"<div role=contentinfo>{LINK}</div>", LinkPlace.FOOTER),
        (f"<div role=' Banner '>{LINK}</div>", LinkPlace.HEADER),
        (f"<aside><main>{LINK}</main></aside>", LinkPlace.CONTENT),
        (f"<div class='site mainMenu'>{LINK}</div>", LinkPlace.NAVIGATION),
        (f"<div id=page-footer><p>{LINK}</div>", LinkPlace.FOOTER),
        (f"<div class=left_sidebar>{LINK}</div>", LinkPlace.ASIDE),
        (f"<div class=has-sidebar>{LINK}</div>", LinkPlace.CONTENT),
        (f"<div class=navy>{LINK}</div>", LinkPlace.CONTENT),
        (f"<div id=content><div class=card-header>{LINK}</div></div>", LinkPlace.CONTENT),
        (f"<main><div class=menu>{LINK}</div></main>", LinkPlace.CONTENT),
    ],
)
def test_landmarks_decide_and_else_classes_and_ids(
    body: str, place: LinkPlace, parser: Parser
) -> None:
    (link,) = links(body, parser)
    assert place_of(link.traits) is place


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
    assert place_of(head.traits) is LinkPlace.HEAD
    assert place_of(body.traits) is LinkPlace.CONTENT
