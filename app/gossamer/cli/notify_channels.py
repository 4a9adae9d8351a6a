"""The channels of a notification rule, from the typed options and its former channels."""

import os
from collections.abc import Iterable, Iterator, Sequence

from gossamer.cli.credentials import ask_unseen
from gossamer.cli.parsed_notify_commands import ChannelOptions
from gossamer.ipc import PASSWORD_VARIABLE
from gossamer.model.errors import UsageError
from gossamer.notifying.channels import (
    CommandChannel,
    DesktopChannel,
    EmailChannel,
    NotificationChannel,
    WebhookChannel,
    new_secret_id,
    secret_name,
)
from gossamer.notifying.webhook_signature import new_secret

KINDS: dict[str, type[NotificationChannel]] = {
    "desktop": DesktopChannel,
    "email": EmailChannel,
    "webhook": WebhookChannel,
    "program": CommandChannel,
}
"""The names of channels on the command line."""


def channels_of(
    options: ChannelOptions, before: Sequence[NotificationChannel] = ()
) -> Iterator[NotificationChannel]:
    """The requested channels: of each kind those typed, else the former ones."""
    kept = [each for each in before if not isinstance(each, _dropped(options.without))]
    yield from _desktop(options, kept)
    yield from _emails(options, [each for each in kept if isinstance(each, EmailChannel)])
    yield from _webhooks(options, [each for each in kept if isinstance(each, WebhookChannel)])
    if options.command:
        yield CommandChannel(options.command)
    else:
        yield from (each for each in kept if isinstance(each, CommandChannel))


def secrets_for(
    channels: Iterable[NotificationChannel], before: Sequence[NotificationChannel] = ()
) -> dict[str, str]:
    """The secrets that the keyring must keep for channels not in `before`, by their names there.

    Passwords of mail servers are prompted for; secrets of webhooks are generated.
    """
    known = {secret_name(each) for each in before}
    found: dict[str, str] = {}
    for channel in channels:
        name = secret_name(channel)
        if name is None or name in known or name in found:
            continue
        if isinstance(channel, EmailChannel):
            place = channel.place
            found[name] = os.environ.get(PASSWORD_VARIABLE) or ask_unseen(
                f"the password of {place.user} for {place.host}"
            )
        else:
            found[name] = new_secret()
    return found


def _dropped(kinds: Iterable[str]) -> tuple[type[NotificationChannel], ...]:
    try:
        return tuple(KINDS[each] for each in kinds)
    except KeyError as e:
        raise UsageError(
            "There is no way to notify called {name!r}; there are {names}.",
            name=e.args[0],
            names=", ".join(KINDS),
        ) from e


def _desktop(
    options: ChannelOptions, before: Sequence[NotificationChannel]
) -> Iterator[NotificationChannel]:
    if options.desktop or any(isinstance(each, DesktopChannel) for each in before):
        yield DesktopChannel()


def _emails(
    options: ChannelOptions, before: Sequence[EmailChannel]
) -> Iterator[NotificationChannel]:
    if not (options.email or options.smtp or options.sender):
        yield from before
        return
    server = options.smtp or (before[0].server if before else None)
    sender = options.sender or (before[0].sender if before else None)
    if server is None or sender is None:
        raise UsageError("E-mails need --smtp SERVER and --from ADDRESS.")
    for address in options.email or [each.address for each in before]:
        yield EmailChannel(address, server, sender)


def _webhooks(
    options: ChannelOptions, before: Sequence[WebhookChannel]
) -> Iterator[NotificationChannel]:
    """Unchanged ones keep their secrets."""
    if options.signs is None:
        signs = any(each.is_signed for each in before)
        same = {each.url: each for each in before}
    else:
        signs, same = options.signs, {}
    for url in options.webhooks or [each.url for each in before]:
        yield same.get(url) or WebhookChannel(url, new_secret_id() if signs else "")
