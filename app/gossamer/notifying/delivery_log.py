"""The log of deliveries: failures, and the output of programs."""

import os
from contextlib import suppress
from datetime import datetime

from gossamer.ipc.log_file import opened_log, rotate
from gossamer.model.text_cleaning import one_line
from gossamer.notifying.channels import NotificationChannel
from gossamer.session.default_paths import notification_log

_LONGEST = 20_000


def log_delivery(channel: NotificationChannel, text: str) -> None:
    """Add a line about a channel; does nothing if the log cannot be written."""
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    line = one_line(f"{now} {channel.said}: {text}", _LONGEST)
    with suppress(OSError):
        path = notification_log()
        rotate(path)
        with os.fdopen(opened_log(path), "a", encoding="utf-8", errors="replace") as log:
            log.write(f"{line}\n")
