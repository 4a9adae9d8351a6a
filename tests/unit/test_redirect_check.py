"""Whether old addresses lead to the new ones, by what a crawl has found."""

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from gossamer.audit.redirect_check import CheckedRedirect, RedirectResult, check_redirects
from gossamer.export.redirect_check_sheet import write_redirect_checks
from gossamer.export.row_counter import RowCounter
from gossamer.model.errors import UsageError
from gossamer.model.outcome import Outcome
from gossamer.store.reading.reader import Reader
from gossamer.urls.expected_redirects import ExpectedRedirect
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled


def fill(crawled: Crawled) -> None:
    """A site that has moved, more or less."""
    crawled.redirect("/old", "/new")
    crawled.redirect("/elsewhere", "/")
    crawled.redirect("/twice", "/once", status=302)
    crawled.redirect("/once", "/new")
    crawled.redirect("/to-gone", "/gone")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.redirect("/round", "/round-2", outcome=Outcome.REDIRECT_LOOP)
    crawled.redirect("/round-2", "/round", outcome=Outcome.REDIRECT_LOOP)
    crawled.redirect("/endless", "/far", outcome=Outcome.REDIRECT_LIMIT)
    crawled.redirect("/waiting", "/queued")
    crawled.redirect("/to-members", "/members")
    crawled.failed("/members", Outcome.LOGIN_REQUIRED, status=302)
    crawled.page("/new", "/queued")
    crawled.page("/")


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., CheckedRedirect]:
    with Crawled(tmp_path / "moved.gossamer") as crawled:
        fill(crawled)

    def checked(old: str, new: str = "/new") -> CheckedRedirect:
        with Reader(tmp_path / "moved.gossamer") as reader:
            (found,) = check_redirects(reader, [ExpectedRedirect(1, SITE + old, SITE + new)])
        return found

    return checked


@each_case(
    ("old", "new", "result"),
    [
        ("/old", "/new", RedirectResult.RIGHT),
        ("/twice", "/new", RedirectResult.RIGHT),
        ("/new", "/new", RedirectResult.RIGHT),
        ("/elsewhere", "/new", RedirectResult.WRONG_TARGET),
        ("/old", "/", RedirectResult.WRONG_TARGET),
        ("/twice", "/once", RedirectResult.WRONG_TARGET),
        ("/new", "/", RedirectResult.NOT_REDIRECTED),
        ("/gone", "/new", RedirectResult.BROKEN),
        ("/to-gone", "/gone", RedirectResult.BROKEN),
        ("/round", "/round-2", RedirectResult.BROKEN),
        ("/endless", "/far", RedirectResult.BROKEN),
        ("/waiting", "/queued", RedirectResult.NOT_CHECKED),
        ("/queued", "/new", RedirectResult.NOT_CHECKED),
        ("/to-members", "/members", RedirectResult.NOT_CHECKED),
        ("/unknown", "/new", RedirectResult.NOT_CHECKED),
    ],
)
def test_a_redirect_is_right_if_it_ends_at_the_new_address_and_that_works(
    check: Callable[..., CheckedRedirect], old: str, new: str, result: RedirectResult
) -> None:
    assert check(old, new).result is result


@pytest.mark.parametrize(
    ("old", "is_chain", "is_temporary", "kind"),
    [
        ("/old", False, False, "permanent"),
        ("/twice", True, True, "mixed"),
        ("/new", False, False, None),
        ("/to-gone", False, False, "permanent"),
    ],
)
def test_detours_and_temporary_redirects_are_told_of_right_ones(
    check: Callable[..., CheckedRedirect],
    old: str,
    is_chain: bool,
    is_temporary: bool,
    kind: str | None,
) -> None:
    found = check(old)
    assert (found.is_chain, found.is_temporary, found.type) == (is_chain, is_temporary, kind)


def test_the_chain_begins_at_the_old_address_though_others_lead_to_it(
    check: Callable[..., CheckedRedirect],
) -> None:
    assert [hop.url for hop in check("/new").chain] == [f"{SITE}/new"]
    assert [hop.url for hop in check("/once").chain] == [f"{SITE}/once", f"{SITE}/new"]


def test_the_table_has_every_hop_and_no_end_of_a_loop(
    check: Callable[..., CheckedRedirect], tmp_path: Path
) -> None:
    found = [check("/old"), check("/twice"), check("/round"), check("/unknown")]
    out = tmp_path / "checked.csv"
    write_redirect_checks(found, out, RowCounter(None, None))
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["Result"] for row in rows] == ["right", "right", "broken", "not checked"]
    assert [row["Final Address"] for row in rows] == [f"{SITE}/new", f"{SITE}/new", "", ""]
    assert [row["Number of Redirects"] for row in rows] == ["1", "2", "2", ""]
    assert rows[1]["Hop 2 Address"] == f"{SITE}/new"
    assert rows[0]["Hop 2 Address"] == ""


@pytest.mark.parametrize("name", ["checked", "checked.html", "checked.xml", "checked.pdf"])
def test_a_format_that_holds_no_table_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="end the file name with"):
        write_redirect_checks([], tmp_path / name, RowCounter(None, None))
    assert list(tmp_path.iterdir()) == []
