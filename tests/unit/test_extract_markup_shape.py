"""The frame of a page as it is written."""

import pytest

from gossamer.extract.markup_shape import markup_shape
from gossamer.extract.native_dom_walk import NATIVE_WALK
from gossamer.extract.parsed_elements import MarkupShape
from tests.cases import each_case


def shape(markup: str) -> MarkupShape:
    found = markup_shape(markup.encode())
    assert NATIVE_WALK is None or NATIVE_WALK.markup_shape(markup.encode()) == found
    return found


def test_a_page_as_it_should_be() -> None:
    page = "<!doctype html><html>\n<!-- <head> --><head><title><body></title></head><body><p>x"
    assert shape(page) == MarkupShape(1, 1, 1)


@each_case("before", ["<p>", "text", "<script></script>", "<template></template>", "</p>"])
def test_something_may_stand_before_the_head(before: str) -> None:
    assert shape(f"<html>{before}<head></head><body>").is_head_not_first


def test_a_body_may_stand_before_html() -> None:
    assert shape("<body><html><head></head>").is_body_before_html


@pytest.mark.parametrize(
    ("head", "invalid"),
    [
        ("<meta><div><link>", "div"),
        ("<noscript><IMG src=x></noscript>", "img"),
        ("<script><p></script><template><p></template><!-- <p> -->", None),
        ("<meta content='<p>'>", None),
    ],
)
def test_an_element_that_does_not_belong_into_the_head(head: str, invalid: str | None) -> None:
    assert shape(f"<html><head>{head}</head><body>").invalid_in_head == invalid
    assert shape(f"<html><head>{head}<body>").invalid_in_head == invalid


def test_frames_may_be_missing_or_repeated() -> None:
    assert shape("<p>x") == MarkupShape()
    assert shape("<html><head></head><head></head><body><body><header>").body_tags == 2
    assert shape("<html><head></head><frameset>").body_tags == 1
    assert shape(f"<html><body>{'<p>text</p>' * 100}<BODY>{'<p>text</p>' * 100}").body_tags == 2
