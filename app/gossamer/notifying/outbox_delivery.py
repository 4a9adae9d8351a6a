"""Delivers what is in the outbox: each message by one process at a time, with growing delays."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from time import time
from typing import Final, Protocol

import msgspec
from msgspec import Struct

from gossamer.model.errors import KnownError, cause_of
from gossamer.model.translatable import Translatable
from gossamer.notifying.channels import (
    CommandChannel,
    DesktopChannel,
    EmailChannel,
    NotificationChannel,
    UnknownChannel,
    WebhookChannel,
    checked_channel,
    secret_name,
    stored_channel,
)
from gossamer.notifying.command_delivery import deliver_to_command
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.delivery_log import log_delivery
from gossamer.notifying.delivery_retries import delay_after, is_given_up
from gossamer.notifying.desktop_delivery import deliver_to_desktop
from gossamer.notifying.message_language import translator
from gossamer.notifying.notification_messages import Message
from gossamer.session.default_paths import outbox_path
from gossamer.session.keyring import recalled_text
from gossamer.store.locking.lock_file import LockFile
from gossamer.store.notification_outbox import DeliveryState, Outbox, OutboxMessage

AT_ONCE: Final = 4


class Delivered(Struct, frozen=True):
    """The result of a try: `problem` is None if the message has arrived."""

    number: int
    channel: NotificationChannel
    problem: Translatable | None = None
    is_over: bool = False


class Send(Protocol):
    """Delivers one message to one channel."""

    async def __call__(
        self, channel: NotificationChannel, message: Message, language: str, now_s: float
    ) -> Translatable | None:
        """The receiver's reply, if any; DeliveryError if it did not arrive."""


async def send(
    channel: NotificationChannel, message: Message, language: str, now_s: float
) -> Translatable | None:
    """Deliver a message according to the kind of its channel; see `Send`."""
    match channel:
        case DesktopChannel():
            await asyncio.to_thread(deliver_to_desktop, message, translator(language))
        case EmailChannel():
            from gossamer.notifying.email_delivery import deliver_by_email  # noqa: PLC0415 - few need it

            return await asyncio.to_thread(
                deliver_by_email,
                *(channel, message, await _secret(channel)),
                translate=translator(language),
            )
        case WebhookChannel():
            from gossamer.notifying.webhook_delivery import deliver_to_webhook  # noqa: PLC0415 - it imports aiohttp

            return await deliver_to_webhook(channel, message, now_s, await _secret(channel))
        case CommandChannel():
            return await deliver_to_command(channel, message)
    return None


async def _secret(channel: NotificationChannel) -> str | None:
    name = secret_name(channel)
    if name is None:
        return None
    try:
        return await asyncio.to_thread(recalled_text, name)
    except KnownError as e:
        raise DeliveryError(e.said) from e


def default_outbox() -> Outbox:
    """The outbox of the user."""
    return Outbox(outbox_path())


async def deliver_due(
    outbox: Outbox,
    *,
    send: Send = send,
    clock: Callable[[], float] = time,
) -> list[Delivered]:
    """Try every message that is due, once; returns the results.

    If another process is delivering, it takes over these messages, and nothing is tried. Only one
    process tries a message: the system releases the lock of a killed process.
    """
    results: list[Delivered] = []
    tried: set[str] = set()
    while outbox.exists and _due(outbox, tried, clock()):
        with _alone(outbox.path) as is_alone:
            if not is_alone:
                break
            # Others may have added something and left it to us, until the lock was released.
            while due := _due(outbox, tried, clock()):
                tried |= {each.id for each in due}
                results += await _try_all(outbox, due, send, clock)
    return results


def _due(outbox: Outbox, tried: set[str], now_s: float) -> list[OutboxMessage]:
    waiting = outbox.messages(DeliveryState.WAITING)
    return [
        each
        for each in waiting
        if each.id not in tried
        and each.is_due(now_s)
        and not isinstance(stored_channel(each.channel), UnknownChannel)
    ]


async def _try_all(
    outbox: Outbox, due: Sequence[OutboxMessage], send: Send, clock: Callable[[], float]
) -> list[Delivered]:
    """Try them, those of a channel one after the other."""
    by_channel: dict[str, list[OutboxMessage]] = {}
    for each in due:
        by_channel.setdefault(each.channel, []).append(each)
    slots = asyncio.Semaphore(AT_ONCE)

    async def try_channel(messages: list[OutboxMessage]) -> list[Delivered]:
        async with slots:
            return [await _try(outbox, each, send, clock) for each in messages]

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(try_channel(messages), name="deliver notifications")
                for messages in by_channel.values()
            ]
    except BaseExceptionGroup as failures:  # the outbox cannot be written
        raise cause_of(failures) from failures
    return [each for task in tasks for each in task.result()]


async def _try(
    outbox: Outbox, entry: OutboxMessage, send: Send, clock: Callable[[], float]
) -> Delivered:
    channel = msgspec.json.decode(entry.channel, type=NotificationChannel)
    begun = outbox.begin(entry.id, clock(), delay_after(entry.tries))
    if begun is None:  # it has been removed meanwhile
        return Delivered(entry.number, channel)
    try:
        message = msgspec.json.decode(begun.content, type=Message)
        await _sent(send, channel, message, begun.language, clock())
    except DeliveryError as e:
        is_over = is_given_up(e, begun, clock())
        log_delivery(channel, f"not delivered{' and given up' if is_over else ''}: {e}")
        problem = msgspec.json.encode(e.said).decode()
        outbox.note_failed(entry.id, problem, is_over=is_over, reached=e.reached)
        return Delivered(entry.number, channel, e.said, is_over)
    outbox.note_delivered(entry.id, entry.channel, clock())
    return Delivered(entry.number, channel)


async def _sent(
    send: Send, channel: NotificationChannel, message: Message, language: str, now_s: float
) -> None:
    """Deliver; DeliveryError, which is final, also for a channel to which nothing can be sent."""
    try:
        checked_channel(channel)
        await send(channel, message, language, now_s)
    except KnownError as e:
        raise DeliveryError(e.said, is_final=True) from e


@contextmanager
def _alone(path: Path) -> Iterator[bool]:
    """Whether no other process delivers; none begins inside."""
    try:
        lock = LockFile(path.with_name(f"{path.name}.lock"))
    except OSError:
        yield False
        return
    try:
        yield True
    finally:
        lock.close()
