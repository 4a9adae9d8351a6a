"""llms.txt: whether it follows the proposal, and where its links lead."""

from gossamer.audit.llms_txt import checked_links, parse_llms_txt
from tests.cases import each_case

URL = "https://example.com/llms.txt"
GOOD = """# Example

> Roses, and how to grow them.

Some words.

## Guides

- [Pruning](/pruning.md): when and how
- [Soil](https://example.com/soil#top)

## Optional

* [Elsewhere](<https://other.example/a> "title")
"""


def faults(text: str) -> list[str]:
    return [str(each) for each in parse_llms_txt(text, URL).faults]


def test_a_file_that_follows_the_proposal_is_read() -> None:
    found = parse_llms_txt(GOOD, URL)
    assert (found.title, found.summary) == ("Example", "Roses, and how to grow them.")
    assert found.sections == ("Guides", "Optional")
    assert [(each.line, each.section, each.text, each.url) for each in found.links] == [
        (9, "Guides", "Pruning", "https://example.com/pruning.md"),
        (10, "Guides", "Soil", "https://example.com/soil#top"),
        (14, "Optional", "Elsewhere", "https://other.example/a"),
    ]
    assert found.faults == ()


@each_case(
    ("text", "says"),
    [
        (GOOD.replace("# Example", "Example"), "no heading of level 1"),
        (f"Welcome!\n{GOOD}", "does not begin with the heading"),
        (f"{GOOD}\n# Another\n", "several headings of level 1"),
        ("# Example\n", "no links"),
        ("# Example\n[a](/a)\n## Guides\n", "outside its sections"),
        ("<!DOCTYPE html><title>Shop</title>", "HTML page"),
    ],
)
def test_what_does_not_follow_it_is_told(text: str, says: str) -> None:
    (fault,) = faults(text)
    assert says in fault


def test_targets_that_were_not_crawled_are_neither_broken_nor_left_out() -> None:
    found = parse_llms_txt("# E\n- [a](/a)\n- [b](/b)\n", URL)
    links = checked_links(found, lambda _: None)
    assert [(each.is_broken, each.is_not_indexable) for each in links] == [(False, False)] * 2


@each_case(
    ("target", "url"),
    [
        ("https://example.com", "https://example.com/"),
        ("/über", "https://example.com/%C3%BCber"),
        ("https://EXAMPLE.com:443/gone", "https://example.com/gone"),
    ],
)
def test_targets_are_looked_up_as_the_crawl_knows_them(target: str, url: str) -> None:
    asked: list[str] = []
    checked_links(parse_llms_txt(f"# E\n- [a]({target})\n", URL), asked.append)
    assert asked == [url]


@each_case(
    ("line", "heading"),
    [
        ("## Guides ##", ("Guides",)),
        ("##   ", ("",)),
        ("##Guides", ()),
        ("####### Guides", ()),
    ],
)
def test_headings_are_those_of_markdown(line: str, heading: tuple[str, ...]) -> None:
    assert parse_llms_txt(f"# E\n{line}\n", URL).sections == heading


_MANY = 200_000
"""A search that begins anew at each of them would take hours."""


@each_case(
    "text",
    [
        "",
        "\ufeff# A",
        "[" * _MANY,
        "](" * _MANY,
        "[](a" * _MANY,
        "](x)" * _MANY,
        "[a](b" * _MANY + ")",
        "#" * _MANY,
        f"# a{' ' * _MANY}b",
        f"# a{' #' * _MANY}b",
        "- [a](http://[)",
    ],
)
def test_any_text_can_be_read(text: str) -> None:
    assert parse_llms_txt(text, URL).sections == ()
