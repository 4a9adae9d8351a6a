import pytest

from gossamer.extract.html_page import extract
from gossamer.model.fields.page_flags import MarkupFlag
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case
from tests.fakes.page_facts import URL, markup_of

both_parsers = pytest.mark.parametrize("parser", list(Parser))
HEAD = "<head><title>x</title></head>"
BODY = "<body><p>x</p></body>"


@both_parsers
@each_case(
    ("html", "expected"),
    [
        (f"<!doctype html><html lang=en>{HEAD}{BODY}</html>", MarkupFlag(0)),
        (f"<html lang=en><!-- x -->\n{HEAD}<!-- <body> -->{BODY}</html>", MarkupFlag(0)),
        (f"<html lang=en>{BODY}</html>", MarkupFlag.MISSING_HEAD),
        (f"<html lang=en>{HEAD}<p>x", MarkupFlag.MISSING_BODY),
        (f"<html lang=en>{HEAD}{HEAD}{BODY}</html>", MarkupFlag.MULTIPLE_HEADS),
        (f"<html lang=en>{HEAD}{BODY}{BODY}</html>", MarkupFlag.MULTIPLE_BODIES),
        (f"<body><html lang=en>{HEAD}</body></html>", MarkupFlag.BODY_BEFORE_HTML),
        (f"<html lang=en><meta charset=utf-8>{HEAD}{BODY}", MarkupFlag.HEAD_NOT_FIRST),
        (f"<html lang=en><head><img src=x alt=x></head>{BODY}", MarkupFlag.INVALID_IN_HEAD),
    ],
)
def test_the_frame_of_a_page_is_judged(html: str, expected: MarkupFlag, parser: Parser) -> None:
    found = MarkupFlag(extract(html.encode(), URL, "utf-8", parser).facts.markup or 0)
    judged = (
        MarkupFlag.INVALID_IN_HEAD
        | MarkupFlag.BODY_BEFORE_HTML
        | MarkupFlag.HEAD_NOT_FIRST
        | MarkupFlag.MISSING_HEAD
        | MarkupFlag.MULTIPLE_HEADS
        | MarkupFlag.MISSING_BODY
        | MarkupFlag.MULTIPLE_BODIES
    )
    assert found & judged == expected


@both_parsers
@each_case(
    ("html", "is_amp"),
    [
        ("<!doctype html><html amp lang=en>", True),
        ("<html lang='a>b' AMP>", True),
        ("<html lang='a>b' amp='' >", True),
        ("<html \u26a1>", True),
        ("<html \u26a1\ufe0f lang=en>", True),
        ("<html lang=en>", False),
        ("<html class=' amp '>", False),
        ("<html data-amp>", False),
        ("<html><p amp>a &amp; b", False),
    ],
)
def test_amp_pages_say_so_in_their_first_tag(html: str, is_amp: bool, parser: Parser) -> None:
    found = extract(html.encode(), URL, "utf-8", parser).facts
    assert bool((found.markup or 0) & MarkupFlag.AMP) is is_amp


@both_parsers
@each_case(
    ("html", "expected"),
    [
        ("<a href=/a></a>", MarkupFlag.EMPTY_LINK),
        ("<b id=x>Go</b><a href=/a aria-labelledby=x></a>", MarkupFlag(0)),
        ("<a href=/a aria-labelledby=' '></a>", MarkupFlag.EMPTY_LINK),
        ("<a href=/a aria-labelledby=x></a>", MarkupFlag.EMPTY_LINK),
        ("<b id=x></b><a href=/a aria-labelledby=x></a>", MarkupFlag.EMPTY_LINK),
        ("<a href=/a aria-labelledby=x title=Go></a>", MarkupFlag(0)),
        ("<button aria-labelledby=x></button>", MarkupFlag.EMPTY_BUTTON),
        ("<input aria-labelledby=x>", MarkupFlag.MISSING_LABEL),
        ("<img src=i aria-labelledby=x>", MarkupFlag.MISSING_ALT),
        ("<b id=x>Go</b><img src=i aria-labelledby=x>", MarkupFlag(0)),
        ("<button>Go</button>", MarkupFlag(0)),
        ("<button> <i></i></button>", MarkupFlag.EMPTY_BUTTON),
        ("<button aria-label=Go></button>", MarkupFlag(0)),
        ("<button title=Go></button>", MarkupFlag(0)),
        ("<button aria-label=' '></button>", MarkupFlag.EMPTY_BUTTON),
        ("<button><img src=i alt=Go></button>", MarkupFlag(0)),
        ("<input type=button>", MarkupFlag.EMPTY_BUTTON),
        ("<input type=button value=Go><input type=submit><input type=reset>", MarkupFlag(0)),
        ("<input>", MarkupFlag.MISSING_LABEL),
        ("<input type=hidden><input type=image alt=Go src=i>", MarkupFlag(0)),
        ("<label for=a>A</label><input id=a>", MarkupFlag(0)),
        ("<input id=a><label for=a>A</label>", MarkupFlag(0)),
        ("<label for=a></label><input id=a>", MarkupFlag.MISSING_LABEL),
        ("<label for=b>B</label><input id=a>", MarkupFlag.MISSING_LABEL),
        ("<label>A <input></label>", MarkupFlag(0)),
        ("<select><option>1</select>", MarkupFlag.MISSING_LABEL),
        ("<textarea></textarea>", MarkupFlag.MISSING_LABEL),
        (
            "<textarea title=A></textarea><b id=x>A</b><select aria-labelledby=x></select>",
            MarkupFlag(0),
        ),
        ("<input placeholder=A>", MarkupFlag.MISSING_LABEL),
    ],
)
def test_links_buttons_and_form_fields_need_a_name(
    html: str, expected: MarkupFlag, parser: Parser
) -> None:
    assert markup_of(parser, body=html) == expected
