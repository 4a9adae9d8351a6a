"""What is shown beside the URLs of an issue: from a row, a user understands what is wrong."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from gossamer.audit.rule_catalogue import RULES, rule_named
from gossamer.audit.site_rule import PageRule, SiteRule, StageRule
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import LinkTrait, PathType
from gossamer.model.response_cookies import insecure_cookies
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Link
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parts import (
    non_ascii_part,
    repeated_segments,
    search_part,
    segments_with,
    tracking_part,
    uppercase_segments,
)
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled

_SAY_IT_ALL = {"Validation", "Accessibility", "JavaScript", "AMP"}
"""Groups with rules whose names say all: a page either has a second `<body>` or not."""


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


def shown(crawled: Crawled, name: str, url_id: int = 1) -> object:
    """The first cell of evidence for a URL, as exports have it."""
    rule = rule_named(name)
    assert rule is not None
    assert rule.evidence is not None
    with Reader(crawled.path) as reader:
        cells = rule.evidence.read(reader, rule.number, reader.records([url_id]))
    return cells.get(url_id, (None,))[0]


def link(kind: LinkKind, text: str = "", **more: object) -> Link:
    return Link(0, kind, text, **more)  # type: ignore[arg-type]  # each test gives what fits


def test_rules_that_measure_another_url_say_what_it_is() -> None:
    named = [
        rule
        for rule in RULES.values()
        if isinstance(rule.decision, StageRule) and rule.decision.names_url
    ]
    assert [rule.number for rule in named if rule.evidence is None] == []


@each_case(
    "rule",
    [rule for rule in RULES.values() if isinstance(rule.decision, PageRule | StageRule)],
    ids=lambda rule: str(rule.number),
)
def test_a_row_shows_more_than_the_address(rule: SiteRule) -> None:
    says_all = rule.group in _SAY_IT_ALL or rule.name.startswith("Missing") or rule.number == 305
    assert rule.fields or rule.evidence is not None or says_all


def test_headings_of_evidence_are_distinct_from_those_of_fields() -> None:
    for rule in RULES.values():
        if rule.evidence is not None:
            headings = [str(each.heading) for each in rule.evidence.columns]
            assert len(set(headings)) == len(headings)
            assert all(headings)


@pytest.mark.parametrize(
    ("name", "links", "text"),
    [
        (
            "Security: Mixed Content",
            [("http://cdn.example/a.js", link(LinkKind.SCRIPT)), ("/b.js", link(LinkKind.SCRIPT))],
            "http://cdn.example/a.js",
        ),
        (
            "Security: Mixed Content",
            [("http://cdn.example/a", link(LinkKind.FRAME))],
            "http://cdn.example/a",
        ),
        (
            "Security: Protocol-Relative Resource Links",
            [("/a", link(LinkKind.FRAME, traits=PathType.PROTOCOL_RELATIVE << 3))],
            f"{SITE}/a",
        ),
        (
            "Security: Unsafe Cross-Origin Links",
            [
                (
                    "/safe",
                    link(LinkKind.ANCHOR, rel="nofollow noopener", traits=LinkTrait.NEW_WINDOW),
                ),
                ("/here", link(LinkKind.ANCHOR)),
                ("https://x.example/", link(LinkKind.ANCHOR, traits=LinkTrait.NEW_WINDOW)),
            ],
            "https://x.example/",
        ),
        (
            "Security: Protocol-Relative Resource Links",
            [
                ("/a.png", link(LinkKind.IMAGE, traits=PathType.ROOT_RELATIVE << 3)),
                ("/b.png", link(LinkKind.IMAGE, traits=PathType.PROTOCOL_RELATIVE << 3)),
            ],
            f"{SITE}/b.png",
        ),
        (
            "Links: Internal Nofollow Outlinks",
            [
                ("/a", link(LinkKind.ANCHOR, "A", rel="ugc NoFollow")),
                ("/b", link(LinkKind.ANCHOR, "B", rel="nofollower")),
                ("/c", link(LinkKind.ANCHOR, "C", rel="ugc,nofollow")),
                ("https://x.example/", link(LinkKind.ANCHOR, "X", rel="nofollow")),
            ],
            f'"A" {SITE}/a | "C" {SITE}/c',
        ),
        (
            "Links: Internal Outlinks With No Anchor Text",
            [
                ("/a", link(LinkKind.ANCHOR, "A")),
                ("/b", link(LinkKind.ANCHOR, "")),
                ("/c", link(LinkKind.AREA, "")),
                ("https://x.example/", link(LinkKind.ANCHOR, "")),
            ],
            f"{SITE}/b | {SITE}/c",
        ),
        (
            "Links: Non-Descriptive Anchor Text In Internal Outlinks",
            [
                ("/", link(LinkKind.ANCHOR, "here")),
                ("/a", link(LinkKind.ANCHOR, "Spiders")),
                *((f"/{n}", link(LinkKind.ANCHOR, f"Spider {n}")) for n in range(3)),
                ("/b", link(LinkKind.ANCHOR, "Read more »")),
                ("/c", link(LinkKind.AREA, "click here")),
                ("https://x.example/", link(LinkKind.ANCHOR, "more")),
            ],
            f'"Read more »" {SITE}/b | "click here" {SITE}/c',
        ),
        (
            "Canonicals: Multiple",
            [("/a", link(LinkKind.CANONICAL)), ("/b", link(LinkKind.CANONICAL))],
            f"{SITE}/a | {SITE}/b",
        ),
        (
            "Hreflang: Contains Hreflang",
            [(f"/{n}", link(LinkKind.ALTERNATE, n)) for n in ("de", "fr", "it", "es")],
            f'"de" {SITE}/de | "fr" {SITE}/fr | "it" {SITE}/it | …',
        ),
        (
            "Links: Outlinks To Localhost",
            [
                ("https://localhost.example/", link(LinkKind.ANCHOR)),
                ("http://localhost:8000/x", link(LinkKind.ANCHOR)),
                ("http://[::1]/y", link(LinkKind.ANCHOR)),
                ("http://0.0.0.0:3000/z", link(LinkKind.ANCHOR)),
            ],
            "http://localhost:8000/x | http://[::1]/y | http://0.0.0.0:3000/z",
        ),
        ("Security: Mixed Content", [("/b.js", link(LinkKind.SCRIPT))], None),
    ],
)
def test_links_that_break_a_rule_are_named(
    crawled: Crawled, name: str, links: list[tuple[str, Link]], text: str | None
) -> None:
    crawled.page("/", *links)
    assert shown(crawled, name) == text


@each_case(("language", "text"), [("fr", f'"plus" {SITE}/a'), ("en", None)])
def test_which_texts_say_nothing_depends_on_the_language(
    crawled: Crawled, language: str, text: str | None
) -> None:
    path = f"/{language}"
    crawled.page(path, ("/a", link(LinkKind.ANCHOR, "plus")), language=language)
    name = "Links: Non-Descriptive Anchor Text In Internal Outlinks"
    assert shown(crawled, name, crawled.id(path)) == text


def test_the_site_itself_is_no_foreign_computer(tmp_path: Path) -> None:
    own, other = "http://127.0.0.1:8000", "http://127.0.0.2:9000"
    settings = CrawlSettings(roots=(f"{own}/",))
    with Crawled(tmp_path / "a.gossamer", settings) as crawled:
        links = [(f"{host}/a", link(LinkKind.ANCHOR)) for host in (own, other)]
        crawled.page(f"{own}/", *links)
        assert shown(crawled, "Links: Outlinks To Localhost") == f"{other}/a"


def test_what_names_a_url_is_told(crawled: Crawled) -> None:
    crawled.page("/", ("/old", link(LinkKind.CANONICAL)), ("/a", link(LinkKind.ANCHOR)))
    crawled.page("/old")
    crawled.writer.close()
    assert shown(crawled, "Canonicals: Unlinked", crawled.id("/old")) == f"{SITE}/"


def test_cookies_are_told_with_what_they_lack() -> None:
    headers = ["a=1; Secure; HttpOnly; SameSite=Lax", "id=…; Secure", "b=2"]
    assert (
        insecure_cookies(headers)
        == "id (no HttpOnly, SameSite) | b (no Secure, HttpOnly, SameSite)"
    )


def test_parts_of_addresses() -> None:
    url = f"{SITE}/Shop/a_b/shop/a_b/%C3%A9t%C3%A9?q=x&utm_source=y"
    assert uppercase_segments(url) == "Shop"
    assert segments_with("_", url) == "a_b, a_b"
    assert repeated_segments(url) == "a_b"
    assert non_ascii_part(url) == "é"
    assert search_part(url) == "?q="
    assert search_part(f"{SITE}/search/x") == "/search/"
    assert tracking_part(url) == "utm_source"


def test_rules_on_structured_data_say_what_is_wrong(crawled: Crawled) -> None:
    crawled.page("/", structured_faults="4 Recipe: foo\n7 Recipe: image\n8 Recipe: video, name")
    assert shown(crawled, "Structured Data: Validation Errors") == "Recipe: foo"
    assert shown(crawled, "Structured Data: Rich Result Validation Errors") == "Recipe: image"
    missing = shown(crawled, "Structured Data: Rich Result Validation Warnings")
    assert missing == "Recipe: video, name"
    assert shown(crawled, "Structured Data: Parse Errors") is None
