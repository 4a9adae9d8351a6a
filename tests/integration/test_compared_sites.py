"""Two real crawls of a site that differ by a declared list: the comparison finds exactly that."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from gossamer.comparison.project_comparison import ComparisonOptions
from gossamer.urls.url_mapping import UrlMapping
from tests.fakes.compared import Difference, compared
from tests.integration.crawling import crawl_all
from tests.sites import Site

_TEXT: Final = " ".join(f"word{number}" for number in range(300))
_CHANGED_TEXT: Final = _TEXT.replace("word150 ", "another ")
_JSON_LD: Final = (
    '<script type="application/ld+json">'
    '{{"@context": "https://schema.org", "@type": "{kind}", "name": "x"}}</script>'
)
_PAGES: Final = (
    *("same", "titled", "described", "headed", "canonical", "worded", "rewritten", "marked"),
    *("hidden", "moved", "broken", "gone", "kept", "elsewhere", "linked", "worldwide"),
)


def build(site: Site, base: str, *, is_changed: bool) -> None:
    """A site below `base`, before or after its changes."""

    def page(name: str, body: str = "", links: tuple[str, ...] = (), title: str = "") -> None:
        site.page(f"{base}{name}", title=title or f"Page {name}", body=body, links=links)

    names = [name for name in _PAGES if not (is_changed and name == "gone")]
    if is_changed:
        names.append("new")
    site.page(base, title="Home", links=[f"{base}{name}" for name in names])
    page("same", links=() if is_changed else (f"{base}deep",))
    page("kept", links=(f"{base}linked", f"{base}deep") if is_changed else ())
    page("linked")
    page("deep", links=(f"{base}deeper",) if is_changed else ())
    page("titled", title="Another" if is_changed else "")
    describes = "new" if is_changed else "old"
    page("described", f'<meta name="description" content="{describes}">')
    page("headed", f"<h1>{'New' if is_changed else 'Old'}</h1>")
    target = "same" if is_changed else "canonical"
    page("canonical", f'<link rel="canonical" href="{base}{target}">')
    page("worded", f"<p>{_TEXT}{' more' * is_changed}</p>")
    page("rewritten", f"<p>{_CHANGED_TEXT if is_changed else _TEXT}</p>")
    page("marked", _JSON_LD.format(kind="Person" if is_changed else "Organization"))
    languages = {"de": "titled", "en": "worldwide", "x-default": "worldwide"}
    if is_changed:
        languages = {"DE": "titled", "en": "worldwide", "fr": "headed", "x-default": "same"}
    named = (
        f'<link rel="alternate" hreflang="{language}" href="{base}{name}">'
        for language, name in languages.items()
    )
    page("worldwide", "".join(named))
    page("hidden", '<meta name="robots" content="noindex">' if is_changed else "")
    site.redirect(f"{base}elsewhere", f"{base}{'kept' if is_changed else 'same'}", status=301)
    for name in ("moved", "broken"):
        page(name)
    if is_changed:
        site.redirect(f"{base}moved", f"{base}same", status=301)
        site.status(f"{base}broken", 404)
        page("new")
        page("deeper")
    else:
        page("gone")


def expected(base: str, url: Callable[[str], str]) -> set[Difference]:
    """What the list above makes, with its effects on links, below `base` of the later side."""
    changes: dict[str, dict[str, tuple[object, object]]] = {
        "titled": {"Title 1": ("Page titled", "Another")},
        "described": {"Meta Description 1": ("old", "new")},
        "headed": {"H1-1": ("Old", "New")},
        "canonical": {
            "Canonical Link Element 1": (url(f"{base}canonical"), url(f"{base}same")),
            "Indexability": ("Indexable", "Non-Indexable"),
            "Indexability Status": (None, "Canonicalised"),
        },
        "worded": {"Word Count": (300, 301)},
        "marked": {"Structured Data Types": ("Organization", "Person")},
        "hidden": {
            "Indexability": ("Indexable", "Non-Indexable"),
            "Indexability Status": (None, "noindex"),
        },
        "worldwide": {
            "Hreflang": (
                f"x-default {url(f'{base}worldwide')}",
                f"fr {url(f'{base}headed')}, x-default {url(f'{base}same')}",
            )
        },
        "elsewhere": {"Redirect URL": (url(f"{base}same"), url(f"{base}kept"))},
        "linked": {"Inlinks": (1, 2)},
        "moved": {
            "Status Code": (200, 301),
            "Title 1": ("Page moved", None),
            "Redirect URL": (None, url(f"{base}same")),
            "Indexability": ("Indexable", "Non-Indexable"),
            "Indexability Status": (None, "Redirected"),
            "Word Count": (0, None),
        },
        "broken": {
            "Status Code": (200, 404),
            "Title 1": ("Page broken", None),
            "Indexability": ("Indexable", "Non-Indexable"),
            "Indexability Status": (None, "Client Error"),
            "Word Count": (0, None),
        },
        # Links have texts, which count as words. Outlinks: how many are gone, how many came.
        "": {"Outlinks": (1, 1)},
        "same": {"Word Count": (1, 0), "Outlinks": (1, 0)},
        "kept": {"Word Count": (0, 2), "Outlinks": (0, 2)},
        "deep": {"Word Count": (0, 1), "Outlinks": (0, 1)},
    }
    found: set[Difference] = {
        (url(base + name), "Changed", field, before, after)
        for name, fields in changes.items()
        for field, (before, after) in fields.items()
    }
    found |= {(url(base + name), "New", "", None, None) for name in ("new", "deeper")}
    return found | {(url(f"{base}gone"), "Missing", "", None, None)}


def facts(found: set[Difference]) -> set[Difference]:
    """Without issues and the texts' percentages, which stand apart."""
    return {each for each in found if ": " not in each[2] and each[2] != "Content Similarity"}


@pytest.mark.parametrize("bases", [("/", "/"), ("/site/", "/"), ("/", "/beta/2/")])
def test_exactly_the_declared_changes_are_found(tmp_path: Path, bases: tuple[str, str]) -> None:
    before, after = tmp_path / "before.gossamer", tmp_path / "after.gossamer"
    with Site() as old, Site() as new:
        for site, base, path in zip((old, new), bases, (before, after), strict=True):
            build(site, base, is_changed=path == after)
            crawl_all(path, site.url(base), max_tries=1)
        mapping = UrlMapping.parsed([f"{old.url(bases[0])}={new.url(bases[1])}"])
        found = compared(before, after, ComparisonOptions(mapping))
        wanted = expected(bases[1], new.url)
    assert {each for each in facts(found) if each not in wanted} == set()
    assert wanted - found == set()
