"""When a login counts as expired, and when a site is merely like that."""

import pytest

from gossamer.engine.failures.login_watch import LoginSign, LoginWatch, sign_of
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.outcome import Outcome
from gossamer.model.page_flags import ContentFlag
from gossamer.model.secrets import SecretNames
from gossamer.model.visit import Visit
from tests.fakes.engine import settings_of
from tests.fakes.web import ROOT, absolute

FINE = Visit(Outcome.PAGE, status=200, facts=PageFacts())
FORM = Visit(Outcome.PAGE, status=200, facts=PageFacts(content=int(ContentFlag.PASSWORD_FIELD)))
REFUSED = Visit(Outcome.CLIENT_ERROR, status=403)
MISSING = Visit(Outcome.CLIENT_ERROR, status=404)


def to(path: str) -> Visit:
    return Visit(Outcome.REDIRECT, status=302, location=absolute(path))


def told_after(*visits: Visit, has_login: bool = True) -> int:
    """After how many answers the crawl would pause; 0: not at all."""
    needs = (SecretNames(origin=ROOT.rstrip("/"), login=True),) if has_login else ()
    watch = LoginWatch(settings_of(needs_secrets=needs))
    for number, visit in enumerate(visits, 1):
        if watch.note(absolute(f"/{number}"), visit) is not None:
            return number
    return 0


@pytest.mark.parametrize(
    ("visits", "told"),
    [
        ([FINE, to("/login?next=/2"), FINE, to("/login?next=/4")], 4),
        ([FINE, to("/users/sign_in"), to("/users/sign_in")], 3),
        ([FINE] * 4 + [FORM] * 3, 7),
        ([FINE] + [REFUSED] * 3, 4),
    ],
)
def test_pages_that_were_fine_and_ask_for_the_login_pause_the_crawl(
    visits: list[Visit], told: int
) -> None:
    assert told_after(*visits) == told


@pytest.mark.parametrize(
    "visits",
    [
        [FORM] * 50,  # a form in the header of each page
        [FORM, FINE] * 20,  # or of many
        [FINE] * 20 + [FORM] + [FINE] * 20 + [FORM, FORM],  # change your password
        [FINE, to("/a"), to("/b"), to("/c")],
        [FINE] + [MISSING] * 20,
        [FINE, REFUSED, FINE, REFUSED, FINE, REFUSED],
        [to("/login"), FORM, REFUSED, REFUSED, REFUSED],
        [FINE, to("/catalogue/blogin"), to("/signings"), to("/plugins/")],
    ],
)
def test_a_site_that_is_like_that_does_not(visits: list[Visit]) -> None:
    assert told_after(*visits) == 0


def test_without_a_login_nothing_is_concluded() -> None:
    assert told_after(FINE, *[to("/login")] * 9, has_login=False) == 0


def test_a_start_page_that_leads_to_the_form_tells_at_once() -> None:
    needs = (SecretNames(origin=ROOT.rstrip("/"), cookies=("id",)),)
    watch = LoginWatch(settings_of(needs_secrets=needs))
    sentence = watch.note(ROOT, to("/login"), is_root=True)
    assert sentence is not None
    assert "Log in again" in str(sentence)


def test_a_redirect_to_a_page_with_a_password_field_leads_to_a_form() -> None:
    form = absolute("/members-only")
    assert sign_of(to("/members-only")) is None
    assert sign_of(to("/members-only"), {form}) is LoginSign.TO_FORM


def test_who_goes_on_nevertheless_is_not_told_again_at_once() -> None:
    visits = [FINE, to("/login"), to("/login"), to("/login")]
    needs = (SecretNames(origin=ROOT.rstrip("/"), login=True),)
    watch = LoginWatch(settings_of(needs_secrets=needs))
    answers = [watch.note(absolute(f"/{n}"), each) for n, each in enumerate(visits)]
    assert [answer is not None for answer in answers] == [False, False, True, False]
