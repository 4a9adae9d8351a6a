"""Has the window show desktop notifications: under its name and icon, and a click opens it.

A process that notifies about a crawl of the window writes a line of JSON for each notification to
its standard output, which the window reads. If the window is closed meanwhile, the line cannot be
written, and the system's means show the notification.
"""

import os
import sys
from contextlib import suppress

import msgspec
from msgspec import Struct

from gossamer.model.translatable import Translatable
from gossamer.notifying.channels import DesktopChannel, NotificationChannel
from gossamer.notifying.desktop_delivery import desktop_words
from gossamer.notifying.message_language import translator
from gossamer.notifying.notification_messages import Message
from gossamer.notifying.outbox_delivery import send


class WindowNotification(Struct, frozen=True):
    """What the window must show. Both ends are of one program, so it has no version."""

    title: str
    text: str


async def send_by_window(
    channel: NotificationChannel, message: Message, language: str, now_s: float
) -> Translatable | None:
    """As `outbox_delivery.send`, but desktop notifications go to the window, if it is open."""
    if isinstance(channel, DesktopChannel):
        shown = WindowNotification(*desktop_words(message, translator(language)))
        with suppress(OSError):
            _write(msgspec.json.encode(shown) + b"\n")
            return None
    return await send(channel, message, language, now_s)


def _write(line: bytes) -> None:
    """At once, without buffers: OSError if nobody reads. A line of this size is written whole."""
    os.write(sys.stdout.fileno(), line)
