"""Declares `gossamer notify` for typer."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

from gossamer.cli.command_group import command_group
from gossamer.cli.parsed_notify_commands import (
    AddRuleCommand,
    ChannelOptions,
    DeliverCommand,
    EditRuleCommand,
    ListRulesCommand,
    NotifyAboutCommand,
    OutboxCommand,
    RemoveRuleCommand,
    RetryCommand,
    SwitchRuleCommand,
    TryRuleCommand,
)
from gossamer.cli.shared_options import ProjectFile

notify = command_group("notify", "Notify people of what crawls find: desktop, e-mail, webhook.")

_Name: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="Name of the rule.")]
_For: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--for",
        metavar="SERIES",
        help="Only for a series: a project of it, or its id. Default: for all crawls.",
    ),
]
_Program: TypeAlias = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[PROGRAM [ARGUMENT]...]",
        help="Start a program, after --, without a shell, with JSON on its standard input.",
    ),
]
_CONDITIONS: Final = (
    "ended, issue:PRIORITY, errors:N, page:PATTERN, robots, sitemap or certificate:DAYS;"
    " repeatable."
)
_Fields: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--field",
        metavar="FIELD",
        help="Only changes of that field of a page count; repeatable.",
    ),
]
_Desktop: TypeAlias = Annotated[
    bool, typer.Option("--desktop", help="Notify on the desktop.", show_default=False)
]
_Email: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--email", metavar="ADDRESS", help="Send an e-mail; repeatable."),
]
_Smtp: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--smtp",
        metavar="SERVER",
        help="Mail server: smtps://[USER@]HOST[:PORT], smtp:// for STARTTLS, or"
        " smtp+plain://localhost.",
    ),
]
_Sender: TypeAlias = Annotated[
    str | None, typer.Option("--from", metavar="ADDRESS", help="Who the e-mails are from.")
]
_Webhook: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--webhook", metavar="URL", help="Post JSON to that address; repeatable."),
]
_INTERVAL: Final = "At most one message in that time."
_REPEAT: Final = "Repeat what has not changed since."
_InWindow: TypeAlias = Annotated[bool, typer.Option("--in-window", hidden=True)]
_Json: TypeAlias = Annotated[
    bool, typer.Option("--json", help="Print JSON instead of text.", show_default=False)
]


@notify.command("add")
def add_rule(
    name: _Name,
    command: _Program = None,
    *,
    when: Annotated[list[str], typer.Option("--when", metavar="CONDITION", help=_CONDITIONS)],
    fields: _Fields = None,
    of: _For = None,
    desktop: _Desktop = False,
    email: _Email = None,
    smtp: _Smtp = None,
    sender: _Sender = None,
    webhook: _Webhook = None,
    sign: Annotated[
        bool,
        typer.Option(
            "--sign", help="Sign what webhooks get; prints the new secret.", show_default=False
        ),
    ] = False,
    interval: Annotated[
        float, typer.Option("--interval", metavar="MINUTES", help=_INTERVAL, min=0)
    ] = 0,
    repeat: Annotated[bool, typer.Option("--repeat", help=_REPEAT, show_default=False)] = False,
    language: Annotated[
        str, typer.Option("--language", metavar="LANGUAGE", help="en or zh_CN.")
    ] = "en",
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace an existing rule.", show_default=False)
    ] = False,
) -> AddRuleCommand:
    """Add a rule: when to tell, and how."""
    channels = ChannelOptions(
        desktop,
        tuple(email or ()),
        smtp,
        sender,
        tuple(webhook or ()),
        sign,
        tuple(command or ()),
    )
    return AddRuleCommand(
        *(name, tuple(when), tuple(fields or ()), channels, of),
        *(interval * 60, repeat, language, replace),
    )


@notify.command("edit")
def edit_rule(
    name: _Name,
    command: _Program = None,
    *,
    new_name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Give the rule another name.")
    ] = None,
    when: Annotated[
        list[str] | None,
        typer.Option(
            "--when", metavar="CONDITION", help=f"In place of all conditions: {_CONDITIONS}"
        ),
    ] = None,
    fields: _Fields = None,
    of: _For = None,
    desktop: _Desktop = False,
    email: _Email = None,
    smtp: _Smtp = None,
    sender: _Sender = None,
    webhook: _Webhook = None,
    sign: Annotated[
        bool | None,
        typer.Option(
            "--sign/--no-sign",
            help="Sign what webhooks get with a new secret, which is printed; or not at all.",
            show_default=False,
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(
            "--without",
            metavar="WAY",
            help="No longer notify that way: desktop, email, webhook or program; repeatable.",
        ),
    ] = None,
    interval: Annotated[
        float | None, typer.Option("--interval", metavar="MINUTES", help=_INTERVAL, min=0)
    ] = None,
    repeat: Annotated[
        bool | None, typer.Option("--repeat/--no-repeat", help=_REPEAT, show_default=False)
    ] = None,
    language: Annotated[
        str | None, typer.Option("--language", metavar="LANGUAGE", help="en or zh_CN.")
    ] = None,
) -> EditRuleCommand:
    """Change a rule: what is not given stays.

    What is given of one kind, e-mails say, takes the place of all there was of it.
    """
    channels = ChannelOptions(
        desktop,
        tuple(email or ()),
        smtp,
        sender,
        tuple(webhook or ()),
        sign,
        tuple(command or ()),
        tuple(without or ()),
    )
    return EditRuleCommand(
        *(name, new_name, tuple(when or ()), tuple(fields or ()), channels, of),
        *(None if interval is None else interval * 60, repeat, language),
    )


@notify.command("enable")
def enable_rule(name: _Name, *, of: _For = None) -> SwitchRuleCommand:
    """Have a rule that was disabled tell people again."""
    return SwitchRuleCommand(name, of, is_enabled=True)


@notify.command("disable")
def disable_rule(name: _Name, *, of: _For = None) -> SwitchRuleCommand:
    """Have a rule tell nobody anything until it is enabled again."""
    return SwitchRuleCommand(name, of, is_enabled=False)


@notify.command("list")
def list_rules(of: _For = None, *, json: _Json = False) -> ListRulesCommand:
    """List the rules for all crawls, and those of series."""
    return ListRulesCommand(of, json)


@notify.command("remove")
def remove_rule(name: _Name, *, of: _For = None) -> RemoveRuleCommand:
    """Remove a rule."""
    return RemoveRuleCommand(name, of)


@notify.command("test")
def try_rule(
    name: _Name,
    *,
    of: _For = None,
    for_window: Annotated[bool, typer.Option("--for-window", hidden=True)] = False,
) -> TryRuleCommand:
    """Send a test message through the channels of a rule."""
    return TryRuleCommand(name, of, for_window)


@notify.command("about")
def notify_about(
    project: ProjectFile,
    *,
    ending: Annotated[
        str,
        typer.Option(
            "--ending", metavar="ENDING", help="How it has ended: finished, failed or paused."
        ),
    ] = "finished",
    before: Annotated[
        Path | None,
        typer.Option("--before", metavar="FILE", help="Project of the crawl before."),
    ] = None,
    in_window: _InWindow = False,
) -> NotifyAboutCommand:
    """Tell what the rules want told of a crawl that has ended."""
    return NotifyAboutCommand(project, ending, before, in_window)


@notify.command("outbox")
def show_outbox(*, json: _Json = False) -> OutboxCommand:
    """List messages that wait, and the last ones that were delivered or given up."""
    return OutboxCommand(json)


@notify.command("deliver")
def deliver(*, in_window: _InWindow = False) -> DeliverCommand:
    """Deliver messages that are due; every other command does so when it tells something."""
    return DeliverCommand(in_window)


@notify.command("retry")
def retry(
    numbers: Annotated[
        list[int] | None,
        typer.Argument(metavar="[NUMBER]...", help="As 'notify outbox' shows them. Default: all."),
    ] = None,
) -> RetryCommand:
    """Try messages at once that wait or were given up."""
    return RetryCommand(tuple(numbers or ()))
