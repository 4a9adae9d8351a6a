"""Which form of a page logs in, how it is recorded, and what the page after it means."""

import pytest

from gossamer.extract.page_forms import forms_of
from gossamer.model.errors import UsageError
from gossamer.model.html_forms import PageForm
from gossamer.model.login_form import (
    FormStep,
    LoginForm,
    LoginStepResult,
    login_forms,
    login_step_result,
    step_of,
)
from tests.cases import each_case

URL = "https://example.com/login"
LOGIN = "<form method=post action=/in><input name=user><input type=password name=pw></form>"
SEARCH = "<form role=search><input name=q></form>"
NEWSLETTER = "<form action=/newsletter><input type=email name=mail></form>"
SIGN_UP = (
    "<form method=post action=/register><input name=user><input name=mail>"
    "<input type=password name=p1><input type=password name=p2></form>"
)
NAME = "<form method=post action=/name><input name=user></form>"
CODE = "<form method=post action=/code><input name=otp></form>"


def forms(html: str) -> tuple[PageForm, ...]:
    return forms_of(html.encode(), None, URL).forms


def only(html: str) -> PageForm:
    [form] = forms(html)
    return form


def likeliest(html: str) -> str:
    found = login_forms(forms(html))
    return found[0].action.removeprefix("https://example.com") if found else ""


def test_the_form_with_one_password_is_the_likeliest() -> None:
    assert likeliest(SEARCH + SIGN_UP + NEWSLETTER + LOGIN) == "/in"


def test_a_form_for_a_name_alone_is_taken_where_no_other_has_a_password() -> None:
    assert likeliest(SEARCH + NEWSLETTER + NAME) == "/name"
    assert likeliest(NAME + LOGIN) == "/in"


def test_a_page_with_a_search_alone_has_no_login() -> None:
    assert likeliest(SEARCH + NEWSLETTER) == ""


def test_what_people_type_is_recorded_apart_from_what_the_page_has() -> None:
    html = (
        "<form method=post action=/in><input type=hidden name=csrf value=1><input name=user>"
        "<input type=password name=pw><input type=checkbox name=stay value=1></form>"
    )
    step = step_of(only(html), {"stay": "1"})
    assert (step.typed, step.secret, step.fresh) == (("user",), ("pw",), ("csrf",))
    assert step.fixed == (("stay", "1"),)
    assert step.submit_url == "https://example.com/in"


def test_a_field_that_the_form_lacks_is_named_with_those_that_it_has() -> None:
    with pytest.raises(UsageError, match=r"no field 'stay'; its fields are user, pw"):
        step_of(only(LOGIN), {"stay": "1"})


def test_a_password_is_never_recorded() -> None:
    with pytest.raises(UsageError, match="for a password") as caught:
        step_of(only(LOGIN), {"pw": "s3cret"})
    assert "s3cret" not in str(caught.value)


def test_a_code_is_recorded_as_one() -> None:
    assert step_of(only(CODE)).codes == ("otp",)


@each_case(
    ("step", "page", "expected"),
    [
        (LOGIN, "<p>Welcome", LoginStepResult.LOGGED_IN),
        (LOGIN, SEARCH + NEWSLETTER, LoginStepResult.LOGGED_IN),
        (LOGIN, LOGIN, LoginStepResult.SAME_FORM),
        (LOGIN, CODE, LoginStepResult.NEXT_FORM),
        (LOGIN, SIGN_UP, LoginStepResult.LOGGED_IN),
        (NAME, LOGIN.replace("name=user", "name=user value=jo"), LoginStepResult.NEXT_FORM),
        (NAME, "<form method=post><input type=password name=pw></form>", LoginStepResult.NEXT_FORM),
        (NAME, NAME.replace("name=user", "name=user value=jo"), LoginStepResult.SAME_FORM),
        (CODE, CODE, LoginStepResult.SAME_FORM),
    ],
)
def test_the_page_after_a_form_says_whether_it_was_right(
    step: str, page: str, expected: LoginStepResult
) -> None:
    answer, following = login_step_result(forms(page), step_of(only(step)))
    assert answer is expected
    assert (following is not None) == (expected is LoginStepResult.NEXT_FORM)


def test_a_recorded_form_needs_addresses_of_the_web_and_a_field() -> None:
    step = FormStep(submit_url=URL, typed=("user",))
    LoginForm(page=URL, steps=(step,)).check()
    for wrong in (
        LoginForm(page="javascript:x", steps=(step,)),
        LoginForm(page=URL),
        LoginForm(page=URL, steps=(FormStep(submit_url=URL),)),
    ):
        with pytest.raises(UsageError, match="record it again"):
            wrong.check()
