"""What is said, line by line, of a robots.txt that crawlers may not understand."""

from gossamer.robots.robots_faults import robots_faults
from gossamer.robots.robots_txt import LIMIT_BYTES
from tests.cases import each_case


def remarks(text: str) -> list[tuple[int, str, bool]]:
    return [(each.line, str(each.sentence), each.is_error) for each in robots_faults(text)]


def test_a_file_in_order_has_none() -> None:
    text = (
        "# all\nUser-agent: *\nDisallow:\nDisallow: /a$\nAllow: *.css\nCrawl-delay: 2.5\n\n"
        "Sitemap: https://example.com/sitemap.xml # here\n"
    )
    assert remarks(text) == []
    assert remarks("") == []


@each_case(
    ("line", "says", "is_error"),
    [
        ("Disalow: /a", "“Disalow” is read as disallow.", False),
        ("Disallow /a", "A colon is missing after disallow.", False),
        ("Disallow: a", "A path begins with a slash", True),
        ("Disallow: https://example.com/a", "A path is expected, not a URL", True),
        ("Disallow: /a$b", "$ means the end", False),
        ("Sitemap: /sitemap.xml", "needs a complete URL", True),
        ("Crawl-delay: soon", "no number", True),
        ("Noindex: /a", "Most crawlers ignore Noindex.", False),
        ("Content-Signal: ai-train=no", "Most crawlers ignore", False),
        ("Frobnicate: 1", "There is no field “Frobnicate”", True),
        ("hello world", "This is not a record", True),
        ("User-agent:", "The name of a crawler is missing", True),
    ],
)
def test_each_mistake_is_told_at_its_line(line: str, says: str, is_error: bool) -> None:
    ((number, sentence, error),) = remarks(f"User-agent: *\n{line}\n")
    assert (number, error) == (2, is_error)
    assert says in sentence


def test_rules_before_any_group_are_ignored() -> None:
    ((line, sentence, is_error),) = remarks("Disallow: /a\nUser-agent: *\nDisallow: /b\n")
    assert (line, is_error) == (1, True)
    assert "before any User-agent" in sentence


def test_a_page_is_no_robots_txt() -> None:
    assert remarks("  <!doctype html><title>x</title>\nhello")[0][1].startswith("This is HTML")


def test_what_is_beyond_the_limit_is_told_once() -> None:
    text = "User-agent: *\n" + "Disallow: /a\n" * (LIMIT_BYTES // 12)
    ((_, sentence, _),) = remarks(text)
    assert "500 KiB" in sentence


def test_a_file_of_nonsense_has_not_more_remarks_than_can_be_read() -> None:
    assert len(remarks("User-agent: *\n" + "nonsense\n" * 5_000)) == 1_000
