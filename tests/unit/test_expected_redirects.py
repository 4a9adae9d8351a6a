"""Tables of old and new addresses, as people and spreadsheets write them."""

import pytest

from gossamer.model.errors import UsageError
from gossamer.urls.expected_redirects import (
    ExpectedRedirect,
    addresses_of,
    read_expected_redirects,
)
from tests.cases import each_case

OLD, NEW = "https://www.example.com/old", "https://www.example.com/new"
PAIR = [(OLD, NEW)]


def pairs(text: str, base: str = "") -> list[tuple[str, str]]:
    found = read_expected_redirects(text, base)
    assert found.wrong == ()
    return [(each.old, each.new) for each in found.expected]


@each_case(
    "text",
    [
        f"{OLD},{NEW}",
        f"{OLD};{NEW}\n",
        f"{OLD}\t{NEW}\r\n",
        f'"{OLD}" , "{NEW}",moved in May\n',
        f"\ufeffOld URL,New URL\n{OLD},{NEW}\n",
        f"Alt;Neu\r\n\r\n{OLD};{NEW}\r\n;;\r\n",
        f"# from the map of May\n{OLD},{NEW}",
        f"{OLD}#top,{NEW}#prices",
        "HTTPS://WWW.example.com:443/old,www.example.com/new",
    ],
)
def test_the_first_two_columns_count(text: str) -> None:
    assert pairs(text) == PAIR


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (f"{OLD};{NEW}?a,b", OLD, f"{NEW}?a,b"),
        (f"{OLD}?a,b;{NEW}", f"{OLD}?a,b", NEW),
        (f"{OLD};x=1,{NEW}", f"{OLD};x=1", NEW),
        (f'"{OLD}?a,b",{NEW}', f"{OLD}?a,b", NEW),
    ],
)
def test_addresses_may_have_commas_and_semicolons(text: str, old: str, new: str) -> None:
    assert pairs(text) == [(old, new)]


def test_paths_are_those_of_the_site_that_is_named() -> None:
    assert pairs("Old,New\n/old,/new\n", "https://www.example.com/") == PAIR
    assert pairs(f"/old,{NEW}\n", "https://www.example.com/shop/") == PAIR
    found = read_expected_redirects("/old,/new\n")
    assert "--base" in str(found.wrong[0].error)


@each_case(
    "wrong", [OLD, f"{OLD},", f",{NEW}", f"{OLD},mailto:a@example.com", "old,new", f"{OLD},new"]
)
def test_a_line_that_is_no_pair_is_told_with_its_number(wrong: str) -> None:
    found = read_expected_redirects(f"{OLD},{NEW}\n{wrong}\n{OLD},{NEW}\n")
    assert [each.line for each in found.expected] == [1, 3]
    assert [each.number for each in found.wrong] == [2]


def test_lines_are_counted_with_those_that_say_nothing() -> None:
    found = read_expected_redirects(f"Old,New\n\n# May\n{OLD},{NEW}\n")
    assert found.expected == (ExpectedRedirect(4, OLD, NEW),)


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "Old,New\n"])
def test_a_table_may_be_empty(text: str) -> None:
    assert pairs(text) == []


def test_what_is_no_table_is_refused_in_a_sentence() -> None:
    with pytest.raises(UsageError, match="Line 1 is not a row of a table"):
        read_expected_redirects(f'"{"x" * 200_000}",{NEW}\n')


def test_each_address_is_requested_once_old_ones_first() -> None:
    found = read_expected_redirects(f"{OLD},{NEW}\n{OLD}2,{NEW}\n{NEW},{NEW}\n")
    assert addresses_of(found.expected) == (OLD, f"{OLD}2", NEW)
