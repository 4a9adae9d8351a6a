"""Redirects that lead back to where they began: which are worth asking again, with cookies."""

from gossamer.engine.cookie_redirects import CookieRedirects, with_cookie_detail
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from tests.fakes.engine import entry_of, redirect_to
from tests.fakes.web import absolute


def followed(redirects: CookieRedirects, entry: FrontierEntry, visit: Visit) -> int | None:
    """The id of the URL to ask again."""
    turned = redirects.to_repeat(entry, visit, Outcome.REDIRECT)
    return None if turned is None else turned.entry.id


def test_a_redirect_to_itself_is_repeated_if_cookies_were_set() -> None:
    assert followed(CookieRedirects(), entry_of(1, "/a"), redirect_to("/a", ahead=5)) == 1


def test_a_redirect_to_itself_without_new_cookies_is_a_loop() -> None:
    assert (
        followed(CookieRedirects(), entry_of(1, "/a"), redirect_to("/a", told=5, ahead=5)) is None
    )


def test_the_start_of_a_circle_is_repeated_when_the_circle_closes() -> None:
    redirects = CookieRedirects()
    assert followed(redirects, entry_of(1, "/a"), redirect_to("/b")) is None
    assert followed(redirects, entry_of(2, "/b"), redirect_to("/c", ahead=3)) is None
    assert followed(redirects, entry_of(3, "/c"), redirect_to("/a", ahead=3)) == 1


def test_a_redirect_into_a_chain_that_does_not_come_by_is_no_circle() -> None:
    redirects = CookieRedirects()
    followed(redirects, entry_of(1, "/a"), redirect_to("/b"))
    assert followed(redirects, entry_of(3, "/c"), redirect_to("/a", ahead=3)) is None


def test_a_url_is_repeated_once() -> None:
    redirects, entry, visit = CookieRedirects(), entry_of(1, "/a"), redirect_to("/a", ahead=5)
    turned = redirects.to_repeat(entry, visit, Outcome.REDIRECT)
    assert turned is not None
    again = redirects.entry_to_repeat(turned)
    assert followed(redirects, again, redirect_to("/a", told=5, ahead=9)) is None


def test_the_entry_to_repeat_has_all_its_tries_and_knows_where_it_led() -> None:
    entry = entry_of(1, "/a")
    entry.tries, entry.deaths = 3, 1
    redirects = CookieRedirects()
    turned = redirects.to_repeat(entry, redirect_to("/a", ahead=5), Outcome.REDIRECT)
    assert turned is not None
    again = redirects.entry_to_repeat(turned)
    assert (again.id, again.tries, again.deaths) == (1, 0, 0)
    assert again.redirected_to == absolute("/a")


def test_what_a_redirect_counts_as_by_now_is_remembered() -> None:
    redirects = CookieRedirects()
    redirects.to_repeat(entry_of(1, "/a"), redirect_to("/b"), Outcome.REDIRECT_LIMIT)
    redirects.counts_as(absolute("/a"), Outcome.REDIRECT)
    turned = redirects.to_repeat(entry_of(2, "/b"), redirect_to("/a", ahead=5), Outcome.REDIRECT)
    assert turned is not None
    assert turned.outcome is Outcome.REDIRECT


def test_the_second_answer_says_that_cookies_made_a_difference() -> None:
    entry = entry_of(1, "/a")
    entry.redirected_to = absolute("/welcome")
    page = Visit(Outcome.PAGE, status=200)
    assert "cookies" in str(with_cookie_detail(entry, page).detail)
    same = redirect_to("/welcome")
    assert with_cookie_detail(entry, same) is same, "they made none"
