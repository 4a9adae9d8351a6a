import pytest

from gossamer.extract.html_page import extract
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case
from tests.fakes.page_facts import content_of

both_parsers = pytest.mark.parametrize("parser", list(Parser))
FAST = Parser.SELECTOLAX
NONE = ContentFlag(0)
GOOD = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Strict-Transport-Security", "max-age=1"),
    ("Content-Security-Policy", "default-src 'self'"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Referrer-Policy", "no-referrer"),
]


def replaced(name: str, *values: str) -> list[tuple[str, str]]:
    """Good headers, but for one, in another spelling."""
    others = [header for header in GOOD if header[0].lower() != name.lower()]
    return others + [(name.upper(), value) for value in values]


@both_parsers
def test_a_page_with_all_protection_is_fine(parser: Parser) -> None:
    assert content_of(parser, headers=GOOD) == NONE
    lowered = [(name.lower(), value) for name, value in GOOD]
    assert content_of(parser, headers=lowered) == NONE


@each_case(
    ("name", "values", "expected"),
    [
        ("Strict-Transport-Security", (), ContentFlag.MISSING_HSTS),
        ("Content-Security-Policy", (), ContentFlag.MISSING_CSP),
        ("Content-Security-Policy", (" ;",), ContentFlag.MISSING_CSP),
        ("X-Content-Type-Options", (), ContentFlag.MISSING_CONTENT_TYPE_OPTIONS),
        ("X-Content-Type-Options", ("sniff",), ContentFlag.MISSING_CONTENT_TYPE_OPTIONS),
        ("X-Content-Type-Options", (" NoSniff, x",), NONE),
        ("X-Frame-Options", (), ContentFlag.MISSING_FRAME_OPTIONS),
        ("X-Frame-Options", ("ALLOWALL",), ContentFlag.MISSING_FRAME_OPTIONS),
        ("X-Frame-Options", ("SameOrigin",), NONE),
        ("Referrer-Policy", (), ContentFlag.MISSING_REFERRER_POLICY),
        ("Referrer-Policy", ("",), ContentFlag.MISSING_REFERRER_POLICY),
        ("Referrer-Policy", ("unsafe-url",), ContentFlag.MISSING_REFERRER_POLICY),
        ("Referrer-Policy", ("no-referrer, unsafe-url",), ContentFlag.MISSING_REFERRER_POLICY),
        ("Referrer-Policy", ("unsafe-url, Origin, new-policy",), NONE),
        ("Referrer-Policy", ("no-referrer-when-downgrade",), NONE),
        ("Content-Type", (), ContentFlag.BAD_CONTENT_TYPE),
        ("Content-Type", ("",), ContentFlag.BAD_CONTENT_TYPE),
        ("Content-Type", ("text/plain",), ContentFlag.BAD_CONTENT_TYPE),
        ("Content-Type", ("html",), ContentFlag.BAD_CONTENT_TYPE),
        ("Content-Type", ("text/html;;charset=utf-8; ;",), NONE),
        ("Content-Type", ("text/html;;charset",), ContentFlag.BAD_CONTENT_TYPE),
        ("Content-Type", ("text/html charset=utf-8",), ContentFlag.BAD_CONTENT_TYPE),
        ("Content-Type", ("text/html", "text/html"), ContentFlag.BAD_CONTENT_TYPE),
        ("Content-Type", ("text/html",), NONE),
        ("Content-Type", ('Text/HTML ;Charset="UTF-8"; x=y',), NONE),
        ("Content-Type", ("application/xhtml+xml; charset=utf-8",), NONE),
    ],
)  # fmt: skip
def test_headers_of_an_encrypted_page(
    name: str, values: tuple[str, ...], expected: ContentFlag
) -> None:
    assert content_of(FAST, headers=replaced(name, *values)) == expected


def test_a_page_that_is_not_encrypted_needs_no_hsts() -> None:
    headers = replaced("Strict-Transport-Security")
    assert content_of(FAST, url="http://example.com/", headers=headers) == NONE


def test_frame_ancestors_stand_for_frame_options() -> None:
    headers = [
        *[header for header in GOOD if header[0] != "X-Frame-Options"],
        ("Content-Security-Policy", "img-src *; Frame-Ancestors 'none'"),
    ]
    assert content_of(FAST, headers=headers) == NONE


@both_parsers
def test_elements_are_no_security_headers(parser: Parser) -> None:
    headers = replaced("Referrer-Policy")
    content = content_of(parser, "<meta name=Referrer content=origin>", headers=headers)
    assert content == ContentFlag.MISSING_REFERRER_POLICY
    unsafe = "<meta name=referrer content=unsafe-url>"
    assert content_of(parser, unsafe, headers=GOOD) == NONE


@each_case(
    ("cookies", "is_insecure"),
    [
        (["a=…; Secure; HttpOnly; SameSite=Lax"], False),
        (["a=…; secure; httponly; samesite=None; Path=/"], False),
        (["a=…; HttpOnly; SameSite=Lax"], True),
        (["a=…; Secure; SameSite=Lax"], True),
        (["a=…; Secure; HttpOnly"], True),
        (["a=…; Secure; HttpOnly; SameSite="], True),
        (["a=…; Secure; HttpOnly; SameSite=Lax", "b=…"], True),
        ([], False),
    ],
)
def test_cookies_are_judged_by_their_attributes(cookies: list[str], is_insecure: bool) -> None:
    headers = [*GOOD, *[("Set-Cookie", cookie) for cookie in cookies]]
    expected = ContentFlag.INSECURE_COOKIE if is_insecure else NONE
    assert content_of(FAST, headers=headers) == expected


@each_case(
    ("body", "is_bad"),
    [
        (b"<p>x", False),
        (b"x", False),
        (b'{"a": 1}', True),
        (b" %PDF-1.4", True),
        (b"\x89PNG\r\n", True),
        (b"<?xml version='1.0'?><rss>", True),
        (b"<?xml version='1.0'?><!DOCTYPE html><html>", False),
        (b"", False),
    ],
)
def test_a_content_type_has_to_fit_the_content(body: bytes, is_bad: bool) -> None:
    facts = extract(body, "https://example.com/", "utf-8", FAST, GOOD).facts
    assert bool((facts.content or 0) & ContentFlag.BAD_CONTENT_TYPE) is is_bad


@both_parsers
@each_case(
    ("html", "expected"),
    [
        ("<img src=http://example.com/a alt=x>", ContentFlag.MIXED_CONTENT),
        ("<img srcset='http://o.example/a 2x' alt=x>", ContentFlag.MIXED_CONTENT),
        ("<script src=http://o.example/a></script>", ContentFlag.MIXED_CONTENT),
        ("<iframe src=http://o.example/a></iframe>", ContentFlag.MIXED_CONTENT),
        ("<p style='background: url(http://o.example/a)'>x</p>", ContentFlag.MIXED_CONTENT),
        ("<a href=http://o.example/a>x</a>", NONE),
        ("<img src=https://o.example/a alt=x>", NONE),
        (
            "<form action=http://example.com/a></form>",
            ContentFlag.INSECURE_FORM | ContentFlag.HAS_FORM,
        ),
        ("<form action=/a></form>", ContentFlag.HAS_FORM),
        ("<form></form>", ContentFlag.HAS_FORM),
        (
            "<form><button formaction=http://o.example/>x</button></form>",
            ContentFlag.INSECURE_FORM | ContentFlag.HAS_FORM,
        ),
        ("<img src=//o.example/a alt=x>", ContentFlag.PROTOCOL_RELATIVE),
        ("<script src=' //o.example/a'></script>", ContentFlag.PROTOCOL_RELATIVE),
        ("<object data=//o.example/a></object>", ContentFlag.PROTOCOL_RELATIVE),
        ("<video poster=//o.example/a></video>", ContentFlag.PROTOCOL_RELATIVE),
        ("<input type=image alt=x src=//o.example/a>", ContentFlag.PROTOCOL_RELATIVE),
        ("<img src=/a srcset='/a 1x, //o.example/a 2x' alt=x>", ContentFlag.PROTOCOL_RELATIVE),
        ("<p style='background: url(//o.example/a)'>x</p>", ContentFlag.PROTOCOL_RELATIVE),
        ("<style>p { background: url( //o.example/a ) }</style>", ContentFlag.PROTOCOL_RELATIVE),
        ("<style>@import '//o.example/a';</style>", ContentFlag.PROTOCOL_RELATIVE),
        ("<iframe src=//o.example/a></iframe>", ContentFlag.PROTOCOL_RELATIVE),
        ("<style>/* url(//o.example/a) */</style>", NONE),
        ("<template><img src=//o.example/a alt=x></template>", NONE),
        ("<a href=//o.example/a>x</a>", NONE),
        ("<img src=/a//b alt=x>", NONE),
    ],
)
def test_what_an_encrypted_page_loads_and_sends(
    html: str, expected: ContentFlag, parser: Parser
) -> None:
    assert content_of(parser, body=html, headers=GOOD) == expected


@both_parsers
def test_style_sheets_may_be_protocol_relative_or_insecure(parser: Parser) -> None:
    for rel, url, expected in (
        ("stylesheet", "//o.example/a", ContentFlag.PROTOCOL_RELATIVE),
        ("apple-touch-icon", "//o.example/a", ContentFlag.PROTOCOL_RELATIVE),
        ("preload", "//o.example/a", ContentFlag.PROTOCOL_RELATIVE),
        ("manifest", "//o.example/a", ContentFlag.PROTOCOL_RELATIVE),
        ("dns-prefetch", "//o.example/a", NONE),
        ("canonical", "//o.example/a", NONE),
        ("stylesheet", "http://o.example/a", ContentFlag.MIXED_CONTENT),
        ("preload", "http://o.example/a", ContentFlag.MIXED_CONTENT),
        ("modulepreload", "HTTP://o.example/a", ContentFlag.MIXED_CONTENT),
        ("manifest", "http://o.example/a", ContentFlag.MIXED_CONTENT),
        ("preload", "/a", NONE),
        ("preload", "https://o.example/a", NONE),
        ("dns-prefetch", "http://o.example/a", NONE),
        ("canonical", "http://o.example/a", NONE),
    ):
        assert content_of(parser, f"<link rel={rel} href={url}>", headers=GOOD) == expected


@both_parsers
def test_a_page_that_is_not_encrypted_mixes_nothing(parser: Parser) -> None:
    html = (
        "<link rel=preload href=http://o.example/a><img src=http://o.example/a alt=x>"
        "<form action=http://o.example/></form>"
    )
    found = content_of(parser, body=html, url="http://example.com/", headers=GOOD)
    assert found == ContentFlag.HAS_FORM


@both_parsers
@each_case(
    ("attributes", "is_unsafe"),
    [
        ("href=https://o.example/ target=_blank", True),
        ("href=https://o.example/ target=_BLANK rel=author", True),
        ("href=//example.com:8443/ target=_blank", True),
        ("href=https://o.example/ target=_blank rel='noopener author'", False),
        ("href=https://o.example/ target=_blank rel=NoReferrer", False),
        ("href=https://o.example/ target=_top", False),
        ("href=https://o.example/", False),
        ("href=/a target=_blank", False),
        ("href=mailto:a@o.example target=_blank", False),
    ],
)
def test_links_to_other_sites_in_new_windows(
    attributes: str, is_unsafe: bool, parser: Parser
) -> None:
    expected = ContentFlag.UNSAFE_CROSS_ORIGIN if is_unsafe else NONE
    assert content_of(parser, body=f"<a {attributes}>x</a>", headers=GOOD) == expected
    in_map = f"<map name=m><area alt=x {attributes}></map>"
    assert content_of(parser, body=in_map, headers=GOOD) == expected
