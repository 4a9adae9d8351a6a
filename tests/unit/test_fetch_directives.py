"""X-Robots-Tag and Retry-After."""

from gossamer.fetch.response_head import retry_after_s
from gossamer.urls.meta_robots import directive_words, robots_directives
from tests.cases import each_case


@each_case(
    ("values", "expected"),
    [
        ([], ""),
        (["noindex"], "noindex"),
        (["NoIndex, NOFOLLOW"], "noindex, nofollow"),
        (["noindex", "nofollow"], "noindex, nofollow"),
        (["googlebot: noindex"], ""),
        (["gossamer: noindex"], "noindex"),
        (["Gossamer : NoIndex"], "noindex"),
        (["googlebot: noindex, nofollow", "noarchive"], "noarchive"),
        (["noarchive, googlebot: noindex, gossamer: nofollow, none"], "noarchive, nofollow, none"),
        (["*: noindex"], "noindex"),
        (["max-snippet: 20, max-image-preview:large"], "max-snippet: 20, max-image-preview:large"),
        (
            ["unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow"],
            "unavailable_after: fri, 25 jun 2010 15:00:00 gmt, nofollow",
        ),
        (["otherbot: unavailable_after: 25 Jun 2010 15:00:00 PST"], ""),
        (["gossamer: max-snippet: 20"], "max-snippet: 20"),
        (["max-image-preview :  none"], "max-image-preview: none"),
        ([" , ,"], ""),
        (["gossamerbot: noindex"], ""),
    ],
)
def test_which_directives_concern_us(values: list[str], expected: str) -> None:
    assert robots_directives(values, "gossamer") == expected


@each_case(
    ("text", "expected"),
    [
        ("noindex; NoFollow none", ["noindex", "nofollow", "none"]),
        ("max-image-preview: none, noarchive", ["max-image-preview:none", "noarchive"]),
        ("Max-Image-Preview : none", ["max-image-preview:none"]),
        ("max-snippet:\t-1 max-video-preview:-1", ["max-snippet:-1", "max-video-preview:-1"]),
        ("robots: none", ["robots:", "none"]),
    ],
)
def test_a_directive_and_its_value_are_one_word(text: str, expected: list[str]) -> None:
    assert directive_words(text) == expected


def test_a_crawler_without_a_name_is_not_meant() -> None:
    assert robots_directives(["bot: noindex", "all"], "") == "all"


NOW_S = 1_700_000_000.0  # Tue, 14 Nov 2023 22:13:20 GMT


@each_case(
    ("value", "date", "expected"),
    [
        ("120", "", 120.0),
        (" 0 ", "", 0.0),
        ("-5", "", 0.0),
        ("1.5", "", 1.5),
        ("315360000", "", 315_360_000.0),
        ("9" * 400, "", 1e15),
        ("Tue, 14 Nov 2023 22:14:20 GMT", "", 60.0),
        ("Tuesday, 14-Nov-23 22:14:20 GMT", "", 60.0),
        ("Tue, 14 Nov 2023 22:00:00 GMT", "", 0.0),
        ("Tue, 14 Nov 2023 22:14:20 -0000", "", 60.0),
        ("Mon, 01 Jan 2001 00:01:00 GMT", "Mon, 01 Jan 2001 00:00:00 GMT", 60.0),
        ("Tue, 14 Nov 2023 22:14:20 GMT", "nonsense", 60.0),
        ("", "", None),
        ("soon", "", None),
        ("NaN", "", None),
        ("1e9", "", None),
        ("Tue, 99 Nov 2023 22:14:20 GMT", "", None),
        ("Tue, 14 Nov 99999 22:14:20 GMT", "", None),
    ],
)
def test_how_long_to_wait(value: str, date: str, expected: float | None) -> None:
    assert retry_after_s(value, date, NOW_S) == expected
