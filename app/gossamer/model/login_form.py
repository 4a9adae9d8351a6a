"""A recorded login with a form: where it is and which fields it has, but no values.

Everything that a user does not type is taken from the page each time, as by a browser: above all
tokens against forgery.
"""

import re
from collections.abc import Container, Iterable, Mapping
from enum import Enum, auto
from typing import Final

from msgspec import Struct, structs

from gossamer.model.errors import UsageError
from gossamer.model.html_forms import Fields, FieldType, FormField, PageForm
from gossamer.model.lazy_pattern import lazy_pattern

_MAX_STEPS: Final = 5
_MAX_TYPED: Final = 6
"""Fields that people type in a login. A form with more is for registration, or for orders."""
_SUBSCRIBES: Final = lazy_pattern(
    r"search|query|newsletter|subscri|coupon|promo|voucher|discount|comment|suche|postcode|zip",
    re.IGNORECASE,
)
_SIGNS_UP: Final = lazy_pattern(
    r"regist(?:er|r)|sign.?up|create.?account|confirm|repeat|password.?2|forgot|reset",
    re.IGNORECASE,
)
_HTTP: Final = re.compile(r"https?://[^\s/@?#]+/\S*", re.IGNORECASE)


class FormStep(Struct, frozen=True, kw_only=True):
    """One form of a login. Many have two: the user name first, then the password.

    `submit_url` is where it was sent when it was recorded; later, only its origin must match.
    """

    submit_url: str
    typed: tuple[str, ...] = ()
    """The names of the fields whose values are typed."""
    secret: tuple[str, ...] = ()
    """Those that are hidden while they are typed: passwords."""
    codes: tuple[str, ...] = ()
    """Those that are never saved: one-time codes."""
    fresh: tuple[str, ...] = ()
    """The names of those that are taken from the page each time."""
    fixed: Fields = ()
    """Names and values of those that always have the same value, such as "remember me"."""
    button: str = ""
    """The name of the button that is pressed, "" for the first."""

    @property
    def asked(self) -> tuple[str, ...]:
        """All fields whose values are requested, in no particular order."""
        return (*self.typed, *self.secret, *self.codes)

    def only(self, filled_in: Container[str]) -> "FormStep":
        """The step with only those of its fields that are `filled_in`."""
        return structs.replace(
            self,
            typed=tuple(name for name in self.typed if name in filled_in),
            secret=tuple(name for name in self.secret if name in filled_in),
            codes=tuple(name for name in self.codes if name in filled_in),
        )

    def is_of(self, form: PageForm) -> bool:
        """Whether a form has all the fields whose values are requested."""
        return set(self.asked) <= {field.name for field in form.fields}


class LoginForm(Struct, frozen=True, kw_only=True):
    """How to log in to a site with a form: its page, and one step for each form."""

    page: str
    steps: tuple[FormStep, ...] = ()

    @property
    def asked(self) -> tuple[str, ...]:
        """The fields whose values are requested, each once, in the order of the steps."""
        return tuple(dict.fromkeys(name for step in self.steps for name in step.asked))

    @property
    def hidden(self) -> frozenset[str]:
        """Those of them that are not shown while they are typed."""
        return frozenset(name for step in self.steps for name in step.secret)

    @property
    def codes(self) -> frozenset[str]:
        """Those of them that are valid once."""
        return frozenset(name for step in self.steps for name in step.codes)

    def check(self) -> None:
        """Raise UsageError about what cannot be a recorded form."""
        pages = (self.page, *(step.submit_url for step in self.steps))
        if not all(_HTTP.fullmatch(each) for each in pages):
            raise UsageError(
                "The login form has an address that is not a web address; record it again with "
                "'gossamer login URL --form'."
            )
        if not 0 < len(self.steps) <= _MAX_STEPS or not all(step.asked for step in self.steps):
            raise UsageError(
                "The login form has no field to fill in; record it again with 'gossamer login URL "
                "--form'."
            )


def login_forms(forms: Iterable[PageForm]) -> list[PageForm]:
    """Those of a page's forms that may be for logging in, the likeliest first."""
    found = [(_doubt(form), number, form) for number, form in enumerate(forms)]
    return [form for doubt, _, form in sorted(found, key=lambda each: each[:2]) if doubt < _NEVER]


_NEVER: Final = 100


def _doubt(form: PageForm) -> int:
    """How unlikely it is that a form is for logging in; _NEVER if it is not."""
    typed, passwords = len(form.typed), len(form.passwords)
    words = " ".join((form.action, *(field.name for field in form.fields)))
    if not typed or form.is_search:
        return _NEVER
    if passwords:
        is_sign_up = passwords > 1 or typed > _MAX_TYPED or bool(_SIGNS_UP.search(words))
        return 10 * is_sign_up + typed
    # The first of two forms asks for a name, the second for a code; others ask for more.
    if typed > 1 or _SUBSCRIBES.search(words):
        return _NEVER
    return 50


def step_of(form: PageForm, fixed: Mapping[str, str] | None = None, button: str = "") -> FormStep:
    """How to record a form. UsageError about a field in `fixed` that it does not have."""
    fixed = fixed or {}
    names = [field.name for field in form.fields]
    if wrong := [name for name in fixed if name not in names]:
        raise UsageError(
            "The form has no field {name!r}; its fields are {names}.",
            name=wrong[0],
            names=", ".join(dict.fromkeys(filter(None, names))),
        )
    if secret := [field.name for field in form.passwords if field.name in fixed]:
        raise UsageError(
            "The field {name!r} is for a password, which is not recorded; leave it out, and you "
            "will be asked for it.",
            name=secret[0],
        )
    asked = [field for field in form.typed if field.name not in fixed and _is_asked(field)]
    return FormStep(
        submit_url=form.action,
        typed=_names(f for f in asked if f.type is FieldType.TEXT and not f.is_code),
        secret=_names(f for f in asked if f.type is FieldType.PASSWORD and not f.is_code),
        codes=_names(f for f in asked if f.is_code),
        fresh=_names(f for f in form.fields if f.type is FieldType.HIDDEN and f.name not in fixed),
        fixed=tuple(fixed.items()),
        button=button,
    )


def _is_asked(field: FormField) -> bool:
    """Whether a field is to be filled in: not one that has a value, nor a trap for robots."""
    return field.type is FieldType.PASSWORD or not field.value


def _names(fields: Iterable[FormField]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(field.name for field in fields if field.name))


class LoginStepResult(Enum):
    """What the page that follows a form means."""

    LOGGED_IN = auto()
    SAME_FORM = auto()
    """The form again: what was typed is wrong."""
    NEXT_FORM = auto()
    """Another form: for the password, or for a code."""


def login_step_result(
    forms: Iterable[PageForm], step: FormStep
) -> tuple[LoginStepResult, PageForm | None]:
    """What the forms of the page after `step` mean, and the next form if there is one."""
    candidates = login_forms(forms)
    if any(step.is_of(form) for form in candidates):
        # With a password, it may be that the name was filled in and the password is still to come.
        following = next((form for form in candidates if _goes_further(form, step)), None)
        return (
            (LoginStepResult.NEXT_FORM, following)
            if following is not None
            else (LoginStepResult.SAME_FORM, None)
        )
    has_password = bool(step.secret)
    following = next(
        (
            form
            for form in candidates
            if (form.passwords and not has_password) or any(f.is_code for f in form.typed)
        ),
        None,
    )
    if following is None:
        return LoginStepResult.LOGGED_IN, None
    return LoginStepResult.NEXT_FORM, following


def _goes_further(form: PageForm, step: FormStep) -> bool:
    """Whether a form asks for a password where `step` did not, and has its fields filled in."""
    filled = {field.name for field in form.fields if field.value}
    return bool(form.passwords) and not step.secret and set(step.asked) <= filled
