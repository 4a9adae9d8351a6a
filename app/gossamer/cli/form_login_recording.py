"""Logs in with the form of a page, filled in on the terminal, and records the form."""

import asyncio
import os
from collections.abc import Mapping
from typing import NamedTuple

from gossamer.cli.credentials import ask, ask_unseen, can_ask, field_values, values_in
from gossamer.cli.interrupt_signals import raising_on_interrupt
from gossamer.cli.parsed_commands import FormChoice
from gossamer.cli.terminal import printable, remark
from gossamer.ipc import PASSWORD_VARIABLE
from gossamer.model.errors import UsageError
from gossamer.model.html_forms import FormField, PageForm
from gossamer.model.login_form import FormStep, LoginForm, step_of
from gossamer.model.secrets import NO_SECRETS, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.text_cleaning import one_line
from gossamer.session.form_login import FormLogin
from gossamer.session.keyring import recalled
from gossamer.urls.url_parsing import origin, parse_root


class RecordedLogin(NamedTuple):
    """A successful login with a form: the form, and the secrets: what was typed, cookies."""

    form: LoginForm
    secrets: Secrets


def record_login(
    settings: CrawlSettings,
    url: str,
    choice: FormChoice | None = None,
    secrets: Secrets = NO_SECRETS,
) -> RecordedLogin:
    """Log in with the form of the page `url`, for a crawl with these settings and secrets.

    Values come from the choice's file, the keyring, the environment or the terminal. UsageError if
    one is missing, or if the login fails.
    """
    choice = choice or FormChoice()
    page = parse_root(url)
    given = dict(recalled([origin(page)]).of(origin(page)).form)
    if choice.values:
        given |= values_in(choice.values)
    return asyncio.run(_recorded(settings, page, choice, given, secrets))


async def _recorded(
    settings: CrawlSettings,
    url: str,
    choice: FormChoice,
    given: Mapping[str, str],
    secrets: Secrets,
) -> RecordedLogin:
    fixed = field_values(choice.fields)
    async with FormLogin(settings, secrets) as login:
        found = await login.find(url)
        form: PageForm | None = _chosen(found, choice.number)
        if len(found) > 1 and not choice.number:
            remark(f"The page has {len(found)} forms that may log in; --number picks another.")
        while form is not None:
            names = {field.name for field in form.fields}
            now = {n: v for n, v in fixed.items() if n in names or form.passwords}
            step = step_of(form, now, choice.button)
            _describe(login.page.url, form, step)
            with raising_on_interrupt():
                typed = _typed(form, step, given)
            step = step.only([name for name, value in typed.items() if value])
            if not step.asked:
                raise UsageError("Nothing was typed into the form; try again.")
            form = await login.submit(form, step, typed)
        remark(f"Logged in: {login.page.url} ({one_line(login.page.title, 80)})")
        return RecordedLogin(login.recorded, login.secrets)


def _chosen(forms: list[PageForm], number: int) -> PageForm:
    if not number:
        return forms[0]
    if not 0 < number <= len(forms):
        raise UsageError(
            "The page has {count} form(s) to log in with; give a number from 1.", count=len(forms)
        )
    return forms[number - 1]


def _describe(url: str, form: PageForm, step: FormStep) -> None:
    remark(f"Form of {url}, sent to {form.action} ({form.method})")
    if step.fresh:
        remark(f"  taken from the page each time: {', '.join(step.fresh)}")
    if step.fixed:
        remark(f"  recorded: {', '.join(f'{name}={value}' for name, value in step.fixed)}")
    others = [field.name for field in form.fields if field.name not in {*step.asked, *step.fresh}]
    if others := [name for name in dict.fromkeys(others) if name and name not in dict(step.fixed)]:
        remark(f"  left as they are: {', '.join(others)}")


def _typed(form: PageForm, step: FormStep, given: Mapping[str, str]) -> dict[str, str]:
    """The values of the fields that a step requires."""
    fields = {field.name: field for field in form.typed}
    from_environment = os.environ.get(PASSWORD_VARIABLE)
    typed = {}
    for name in dict.fromkeys(field.name for field in form.typed if field.name in step.asked):
        if name in given and name not in step.codes:
            typed[name] = given[name]
        elif name in step.secret and from_environment is not None and len(step.secret) == 1:
            typed[name] = from_environment
        else:
            typed[name] = _asked(fields[name], is_unseen=name in step.secret, given=given)
    return typed


def _asked(field: FormField, *, is_unseen: bool, given: Mapping[str, str]) -> str:
    if field.name in given:
        return given[field.name]
    label = field.label.rstrip(" :*") or field.name
    what = f"{label} ({field.name})" if label != field.name else label
    if not can_ask():
        raise UsageError(
            "There is no terminal to ask for the field {name}; give its value with --values FILE "
            "('gossamer login') or --login-values FILE ('gossamer crawl').",
            name=printable(field.name),
        )
    return ask_unseen(what) if is_unseen else ask(what)
