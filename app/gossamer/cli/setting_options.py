"""Generates the options of the settings from their declarations, and parses them."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, NamedTuple

import typer

from gossamer.cli import shared_options
from gossamer.cli.credential_options import (
    credential_options_of,
    public_headers_of,
    servers_of,
)
from gossamer.cli.custom_options import extractions_of, searches_of
from gossamer.cli.offered_options import GivenOptions, OptionsOffered
from gossamer.cli.option_casting import comma_separated
from gossamer.cli.parsed_commands import OutputOptions
from gossamer.cli.terminal import listed
from gossamer.cli.word_lists import words_of
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DECLARED, DEFAULTS, SETTINGS
from gossamer.model.settings.setting_declaration import ChangePolicy, Option
from gossamer.model.settings.setting_types import (
    Addresses,
    Choice,
    ClusterLocation,
    ContentExclusions,
    CustomExtractions,
    CustomSearches,
    Headers,
    LinkKinds,
    Patterns,
    SegmentDefinitions,
    Servers,
    Switch,
    UserAgent,
    Words,
)
from gossamer.model.settings.user_agents import user_agent_of

_FIXED: Final = (ChangePolicy.NEVER_READ_PAGES, ChangePolicy.NEVER_KNOWN_URLS)

_REPEATED: Final[Mapping[type, Callable[[Any], object]]] = {
    ContentExclusions: tuple,
    SegmentDefinitions: tuple,
    CustomSearches: searches_of,
    CustomExtractions: extractions_of,
    Patterns: tuple,
    Addresses: tuple,
    Servers: servers_of,
    Headers: public_headers_of,
    Words: words_of,
}
"""The kinds of values whose options may be repeated, and how typed values are read."""


class _Typed(NamedTuple):
    """How an option sets a setting: typer's type, the default to show, and the parser."""

    type: Any
    default: object
    read: Callable[[Any], object]


def parameters(
    own: Sequence[inspect.Parameter], offered: OptionsOffered
) -> list[inspect.Parameter]:
    """The parameters of a command: its `own`, and one for each option that is offered.

    typer makes its options from them.
    """
    place = [each.name for each in own].index(offered.after) + 1
    shown = offered.are_defaults_shown and not offered.resume
    left_out = () if offered.asks_network else _FOR_NETWORK
    names = [name for name in SETTINGS if _has_option(name, offered.resume)]
    ours = [
        _parameter(name, resume=offered.resume, is_default_shown=shown)
        for name in names
        if name not in left_out
    ]
    named = {*(each.name for each in own), *left_out}
    run = [each for each in _RUN_OPTIONS.values() if each.name not in named]
    context = inspect.Parameter(
        "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    return [context, *own[:place], *ours, *own[place:], *run]


def given_options(context: typer.Context, typed: dict[str, Any]) -> GivenOptions:
    """Parse the options that a command has besides its own.

    UsageError with one sentence about the first thing wrong.
    """
    run = {name: typed.pop(name) for name in _RUN_OPTIONS if name in typed}
    fields = _run_options(**run, headers=typed.get("headers"))
    return GivenOptions(_typed_settings(context, typed), fields)


def _run_options(
    headers: Iterable[str] | None,
    *,
    auth: shared_options.Auth = None,
    digest: shared_options.Digest = None,
    client_certificate: shared_options.ClientCertificateOption = None,
    cookie: shared_options.Cookies = None,
    login: shared_options.LoginOption = False,
    login_form: shared_options.LoginFormOption = None,
    login_values: shared_options.LoginValues = None,
    remember: shared_options.Remember = False,
    export: shared_options.Exports = None,
    fail_on: shared_options.FailOn = None,
    json: shared_options.Json = False,
    verbose: shared_options.Verbose = False,
    quiet: shared_options.Quiet = False,
) -> dict[str, Any]:
    return {
        "credentials": credential_options_of(
            auth or (),
            digest or (),
            client_certificate or (),
            cookie or (),
            headers or (),
            remember=remember,
            login=login,
            login_form=login_form or "",
            login_values=login_values or "",
        ),
        "exports": tuple(export or ()),
        "fail_on": tuple(fail_on or ()),
        "output_options": OutputOptions(json, verbose, quiet),
    }


_, *_declared = inspect.signature(_run_options).parameters.values()
_RUN_OPTIONS: Final = {each.name: each for each in _declared}
"""The parameters of `_run_options` that are options of a command."""
_FOR_NETWORK: Final = (
    *("auth", "digest", "client_certificate", "cookie", "login", "login_form", "login_values"),
    *("remember", "headers", "public_headers", "proxy", "insecure_hosts", "user_agent"),
    *("cluster", "insecure_cluster", "rate", "external_rate", "max_per_host", "keep_cookies"),
)
"""Options and settings for requests to servers."""


def _typed_settings(context: typer.Context, typed: Mapping[str, Any]) -> dict[str, Any]:
    """The settings given as options, by name, without secrets.

    UsageError with one sentence about the first error.
    """
    return {
        name: _how_typed(name).read(value)
        for name, value in typed.items()
        if SETTINGS[name].values != Headers(public=False) and _was_typed(context, name)
    }


def spelling(name: str) -> str:
    """The option of the setting `name`, such as "--timeout"."""
    option = SETTINGS[name].option
    return (option and option.name) or f"--{name.replace('_', '-')}"


def spelled_on(name: str) -> str:
    """How the setting `name` is given another value than its default, as "--render auto or on"."""
    values = SETTINGS[name].values
    option = SETTINGS[name].option or Option("")
    match values:
        case Switch():
            return spelling(name)
        case Choice():
            default = getattr(DEFAULTS, name)
            others = [each.value for each in DECLARED[name].type if each is not default]
            return f"{spelling(name)} {listed(others, last='or')}"
        case _:
            return f"{spelling(name)} {option.metavar or ''}".rstrip()


def why_not_on_resume(misuse: typer.BadParameter) -> str:
    """The reason if `misuse` of `resume` names a setting that cannot change."""
    wrong = getattr(misuse, "option_name", None)
    for name, setting in SETTINGS.items():
        if setting.option is not None and spelling(name) == wrong:
            from gossamer.session.live_settings import refuse_unless_changeable  # noqa: PLC0415 - seldom needed

            try:
                refuse_unless_changeable(name)
            except UsageError as e:
                return str(e)
    return ""


def _has_option(name: str, resume: bool) -> bool:
    setting = SETTINGS[name]
    can_change = setting.change not in _FIXED and not isinstance(setting.values, Switch)
    return setting.option is not None and (can_change or not resume)


def _parameter(name: str, *, resume: bool, is_default_shown: bool) -> inspect.Parameter:
    """The parameter from which typer makes the option."""
    option = SETTINGS[name].option or Option("")
    kind, default, _ = _how_typed(name)
    shown = typer.Option(
        spelling(name),
        metavar=option.metavar,
        help=(resume and option.on_resume) or option.help,
        show_default=is_default_shown and (option.default or True),
    )
    return inspect.Parameter(
        name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None if resume else default,
        annotation=Annotated[kind | None if resume else kind, shown],
    )


def _how_typed(name: str) -> _Typed:
    default, values = getattr(DEFAULTS, name), SETTINGS[name].values
    if (read := _REPEATED.get(type(values))) is not None:
        return _Typed(list[str] | None, None, read)
    match values:
        case Switch():
            return _Typed(bool, default=False, read=lambda _given: not default)
        case LinkKinds():
            return _Typed(str, ",".join(default), lambda text: comma_separated(text.lower()))
        case UserAgent():
            return _Typed(str, default, user_agent_of)
        case ClusterLocation():
            return _Typed(str, default, _cluster)
        case _:
            return _Typed(DECLARED[name].type, default, lambda value: value)


def _cluster(text: str) -> str:
    from gossamer.session.cluster_names import address_of  # noqa: PLC0415 - seldom needed

    return address_of(text)


def _was_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
