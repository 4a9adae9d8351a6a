"""The pages of the documentation: their ids, their links, what lists them."""

import posixpath
import re
import runpy
from itertools import pairwise
from unicodedata import category

import pytest

from tests.architecture.checkout import ROOT

GATHERED = runpy.run_path(str(ROOT / "packaging" / "documentation_pages.py"))
PAGES: dict[str, str] = GATHERED["pages"]()
TOPICS: dict[str, tuple[str, ...]] = GATHERED["topics"]()
APART = ("issues/", "adr/", "window/")
"""Pages that an index of their own lists."""


def links(name: str) -> list[str]:
    """The files that a page links to, as paths among the pages."""
    found = re.findall(r"\]\((?!\w+:|#)([^)#\s]+)", PAGES[name])
    return [posixpath.normpath(posixpath.join(posixpath.dirname(name), link)) for link in found]


def test_links_between_pages_lead_to_pages_and_pictures() -> None:
    dead = [
        (name, link)
        for name in PAGES
        for link in links(name)
        if link.removesuffix(".md") not in PAGES and not (ROOT / "docs" / link).is_file()
    ]
    assert dead == []


@pytest.mark.parametrize("prefix", ["", "zh/"])
def test_every_page_is_in_the_contents(prefix: str) -> None:
    own = {name for name in PAGES if name.startswith("zh/") == bool(prefix)}
    listed = {link.removesuffix(".md") for link in links(f"{prefix}index")}
    apart = {name for name in own if name.removeprefix(prefix).startswith(APART)}
    assert own - apart - listed == {f"{prefix}index"}


def test_chinese_pages_translate_english_ones() -> None:
    assert [name for name in PAGES if name.startswith("zh/") and name[3:] not in PAGES] == []


def structure(text: str) -> dict[str, object]:
    """What a page and its translation have in common."""
    code = re.findall(r"^(?:```.*?^```| {4}\S.*?)$", text, flags=re.MULTILINE | re.DOTALL)
    rest = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return {
        "code": code,
        "levels of headings": re.findall(r"^#+(?= )", rest, flags=re.MULTILINE),
        "paragraphs": len(re.split(r"\n{2,}", rest.strip())),
        "rows of tables": len(re.findall(r"^\|", rest, flags=re.MULTILINE)),
        "items of lists": len(re.findall(r"^(?:-|\d+\.) ", rest, flags=re.MULTILINE)),
        "pictures": len(re.findall(r"!\[", rest)),
    }


@pytest.mark.parametrize("name", [name for name in PAGES if f"zh/{name}" in PAGES])
def test_translations_keep_up_with_their_pages(name: str) -> None:
    """The start pages differ: each lists the pages of its language."""
    if name != "index":
        assert structure(PAGES[f"zh/{name}"]) == structure(PAGES[name])


@pytest.mark.parametrize("missing", ["## B\n", "| 1 |\n", "- 2\n", "![a](a.png)\n", "    x\n"])
def test_a_translation_that_lags_behind_is_noticed(missing: str) -> None:
    text = "# A\n\nOne.\n\n## B\n\n| 1 |\n| 2 |\n\n- 1\n- 2\n\n![a](a.png)\n\n    y\n    x\n"
    assert structure(text.replace(missing, "")) != structure(text)


def test_a_page_has_one_title() -> None:
    without = [name for name, text in PAGES.items() if not text.startswith("# ")]
    assert without == []


def test_headings_leave_out_no_level() -> None:
    """The site is built with every warning an error, and Sphinx warns of that."""
    for name, text in PAGES.items():
        sentences = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        levels = [len(marks) for marks in re.findall(r"^(#+) ", sentences, flags=re.MULTILINE)]
        skipped = [after for before, after in pairwise(levels) if after > before + 1]
        assert skipped == [], name


def test_topics_of_the_help_lead_on_to_pages() -> None:
    assert {f"window/{topic}" for topic in TOPICS} <= set(PAGES)
    for topic, more in TOPICS.items():
        assert set(more) <= set(PAGES)
        for prefix in ("", "zh/"):
            led = links(f"{prefix}window/{topic}")
            assert [link.removesuffix(".md").removeprefix("zh/") for link in led] == list(more)


def test_emphasis_in_chinese_ends_where_markdown_sees_it() -> None:
    """A mark between punctuation and a letter closes nothing (CommonMark 6.2)."""
    unseen = [
        (name, found[0])
        for name, text in PAGES.items()
        if name.startswith("zh/")
        for found in re.finditer(r"(\*+)([^*\n]+)\1(?=(.?))", text)
        if category(found[2][-1]).startswith("P") and "\u3400" <= found[3] <= "\u9fff"
    ]
    assert unseen == [], "put a colon or a comma after it"


@pytest.mark.parametrize(
    ("written", "led"),
    [
        ("[a](../../LICENSE)", "[a](../licence.md)"),
        ("[a](../../README.md)", "[a](../index.md)"),
        ("[a](../../resources/help/en.md)", "[a](../window/index.md)"),
        ("[a](../adr)", "[a](../adr/index.md)"),
        ("[a](../ci.md#gitlab-ci)", "[a](../ci.md#gitlab-ci)"),
        ("![a](../images/a.png)", "![a](../images/a.png)"),
        ("[a](#b) [c](https://example.com/d)", "[a](#b) [c](https://example.com/d)"),
        ("    [a](../../LICENSE)", "    [a](../../LICENSE)"),
        ("```\n[a](../adr)\n```\n", "```\n[a](../adr)\n```\n"),
    ],
)
def test_links_hold_among_the_pages(written: str, led: str) -> None:
    assert GATHERED["_with_links"]("how-to/page", written) == led
