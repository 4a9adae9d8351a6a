"""Has the window show what is for the desktop: under its own name and icon, and a click opens it.

A process that tells of a crawl of the window writes a line of JSON for each notification to its
standard output, which the window reads. If the window is closed meanwhile, the line cannot be
written, and what the system has shows the notification.
"""

import os
import sys
from contextlib import suppress

import msgspec
from msgspec import Struct

from gossamer.model.translatable import Translatable
from gossamer.notifying.channels import Channel, DesktopChannel
from gossamer.notifying.deliveries import send
from gossamer.notifying.desktop_delivery import desktop_words
from gossamer.notifying.digests import Message
from gossamer.notifying.message_language import translator


class WindowNotification(Struct, frozen=True):
    """What the window is to show. Both ends are of one program, so it has no version."""

    title: str
    text: str


async def send_by_window(
    channel: Channel, message: Message, language: str, now_s: float
) -> Translatable | None:
    """As `deliveries.send`, but notifications of the desktop go to the window, if it is there."""
    if isinstance(channel, DesktopChannel):
        shown = WindowNotification(*desktop_words(message, translator(language)))
        with suppress(OSError):
            _write(msgspec.json.encode(shown) + b"\n")
            return None
    return await send(channel, message, language, now_s)


def _write(line: bytes) -> None:
    """At once, past all buffers: OSError if nobody reads. A line of this size is written whole."""
    os.write(sys.stdout.fileno(), line)
