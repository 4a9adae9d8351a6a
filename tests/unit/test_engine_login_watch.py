"""When a login counts as expired, and when a site is merely like that."""

import pytest

from gossamer.engine.failures.login_watch import MOST_HELD, LoginSign, LoginWatch, sign_of
from gossamer.engine.url_tracker import FrontierEntry
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import SecretNames
from gossamer.model.visit import Visit
from tests.cases import each_case
from tests.fakes.engine import entry_of, settings_of
from tests.fakes.web import ROOT, absolute

FINE = Visit(Outcome.PAGE, status=200, facts=PageFacts())
REFUSED = Visit(Outcome.CLIENT_ERROR, status=403)
MISSING = Visit(Outcome.CLIENT_ERROR, status=404)


def form(title: str | None = None) -> Visit:
    """A page with a field for a password."""
    facts = PageFacts(title=title, content=int(ContentFlag.PASSWORD_FIELD))
    return Visit(Outcome.PAGE, status=200, facts=facts)


FORM = form()
LOGIN_PAGE = form("Log in - Example")


def to(path: str) -> Visit:
    return Visit(Outcome.REDIRECT, status=302, location=absolute(path))


class Watched:
    """A watch, what it says, and what it lets through: by the number of each answer, from 1."""

    def __init__(self, *, has_login: bool = True, guard: bool = True) -> None:
        needs = (SecretNames(origin=ROOT.rstrip("/"), login=True),) if has_login else ()
        self.sentences: list[str] = []
        self.watch = LoginWatch(
            settings_of(needs_secrets=needs, guard=guard),
            lambda sentence: self.sentences.append(str(sentence)),
        )
        self.recorded: dict[int, Visit] = {}
        self._number = 0

    def answer(self, *visits: Visit, path: str = "", is_root: bool = False) -> None:
        for visit in visits:
            self._number += 1
            entry = entry_of(self._number, path or f"/{self._number}")
            entry.parent = None if is_root else 1
            self._record(self.watch.take(entry, visit))

    def end(self) -> None:
        """Nothing more comes."""
        self._record(self.watch.release())

    def _record(self, answers: list[tuple[FrontierEntry, Visit]]) -> None:
        self.recorded.update((entry.id, visit) for entry, visit in answers)

    @property
    def without_content(self) -> list[int]:
        """The answers recorded as asking for the login."""
        found = self.recorded.items()
        return sorted(n for n, visit in found if visit.outcome is Outcome.LOGIN_REQUIRED)


def told_after(*visits: Visit) -> int:
    """After how many answers the crawl would pause; 0: not at all."""
    watched = Watched()
    for number, visit in enumerate(visits, 1):
        watched.answer(visit)
        if watched.sentences:
            return number
    return 0


@each_case(
    ("visits", "told"),
    [
        ([FINE, to("/login?next=/2"), FINE, to("/login?next=/4")], 4),
        ([FINE, to("/users/sign_in"), to("/users/sign_in")], 3),
        ([FINE, to("/oauth2/authorize?x=1"), to("/oauth2/authorize?x=2")], 3),
        ([FINE, to("/вход"), to("/вход")], 3),
        ([FINE, to("/로그인"), to("/로그인")], 3),
        ([FINE] * 4 + [FORM] * 3, 7),
        ([FINE] + [LOGIN_PAGE] * 3, 4),
        ([LOGIN_PAGE] * 3, 3),
        ([FINE] + [REFUSED] * 3, 4),
    ],
)
def test_pages_that_were_fine_and_ask_for_the_login_pause_the_crawl(
    visits: list[Visit], told: int
) -> None:
    assert told_after(*visits) == told


@each_case(
    "visits",
    [
        [FORM] * 50,  # a form in the header of each page
        [FORM, FINE] * 20,  # or of many
        [FINE] * 20 + [FORM] + [FINE] * 20 + [FORM, FORM],  # change your password
        [FINE, to("/a"), to("/b"), to("/c")],
        [FINE] + [MISSING] * 20,
        [FINE, REFUSED, FINE, REFUSED, FINE, REFUSED],
        [to("/login"), FORM, REFUSED, REFUSED, REFUSED],
        [FINE, to("/catalogue/blogin"), to("/signings"), to("/plugins/"), to("/authors")],
    ],
)
def test_a_site_that_is_like_that_does_not(visits: list[Visit]) -> None:
    assert told_after(*visits) == 0


def test_without_a_login_or_without_the_guard_nothing_is_watched() -> None:
    entry = entry_of(1, "/")
    assert Watched().watch.watches(entry)
    assert not Watched(has_login=False).watch.watches(entry)
    assert not Watched(guard=False).watch.watches(entry)


@pytest.mark.parametrize("visit", [to("/login"), LOGIN_PAGE], ids=["redirect", "page"])
def test_a_start_page_that_asks_for_the_login_tells_at_once(visit: Visit) -> None:
    watched = Watched()
    watched.answer(visit, path="/", is_root=True)
    assert "the start page" in watched.sentences[0]
    assert watched.watch.url == absolute("/")
    assert watched.without_content == [1]


def test_a_start_page_that_is_the_login_page_tells_at_once() -> None:
    watched = Watched()
    watched.answer(FORM, path="/users/sign_in", is_root=True)
    assert watched.sentences


def test_a_start_page_with_a_form_in_its_header_does_not() -> None:
    watched = Watched()
    watched.answer(form("Example Shop"), path="/", is_root=True)
    assert not watched.sentences
    assert watched.recorded[1].outcome is Outcome.PAGE


def test_one_of_many_start_urls_that_leads_to_the_form_after_fine_ones_does_not() -> None:
    watched = Watched()
    watched.answer(FINE, to("/login"), is_root=True)
    assert not watched.sentences


def test_pages_that_were_answered_with_the_form_keep_nothing_of_it() -> None:
    watched = Watched()
    watched.answer(*[FINE] * 4, FORM, FORM, FORM)
    assert watched.without_content == [5, 6, 7]
    assert watched.recorded[6].facts is None
    assert watched.recorded[6].status is None


def test_what_comes_after_the_sentence_and_asks_for_the_login_keeps_nothing_either() -> None:
    watched = Watched()
    watched.answer(FINE, to("/login"), to("/login"))
    watched.answer(to("/login"), FINE, REFUSED, MISSING)
    assert watched.without_content == [2, 3, 4, 6]
    assert len(watched.sentences) == 1


def test_answers_that_prove_harmless_are_recorded_as_they_came() -> None:
    watched = Watched()
    watched.answer(*[FINE] * 4, FORM)
    assert 5 not in watched.recorded
    watched.answer(FINE)
    assert watched.recorded[5] is FORM


def test_what_is_held_back_is_recorded_when_nothing_more_comes() -> None:
    watched = Watched()
    watched.answer(FINE, to("/login"))
    assert 2 not in watched.recorded
    watched.end()
    assert watched.recorded[2].outcome is Outcome.REDIRECT
    watched.end()


def test_little_is_held_back() -> None:
    watched = Watched()
    watched.answer(FINE, *[FORM, REFUSED] * MOST_HELD)
    assert len(watched.recorded) > MOST_HELD


def test_a_redirect_to_a_page_with_a_password_field_leads_to_a_form() -> None:
    page, members = absolute("/x"), absolute("/members-only")
    assert sign_of(page, to("/members-only")) is None
    assert sign_of(page, to("/members-only"), {members}) is LoginSign.TO_FORM


def test_the_login_page_itself_may_show_its_form_and_lead_to_another() -> None:
    assert sign_of(absolute("/login"), FORM) is None
    assert sign_of(absolute("/login"), to("/login/password")) is None


def test_who_goes_on_nevertheless_is_not_told_again_at_once() -> None:
    watched = Watched()
    watched.answer(FINE, to("/login"), to("/login"))
    watched.watch.go_on()
    watched.answer(to("/login"), path="/", is_root=True)
    watched.answer(FINE, to("/login"), to("/login"))
    assert len(watched.sentences) == 1
    watched.answer(to("/login"))
    assert len(watched.sentences) == 2
