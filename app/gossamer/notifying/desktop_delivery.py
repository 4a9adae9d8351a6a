"""Delivers messages as desktop notifications, with the system's means.

Linux: the D-Bus interface org.freedesktop.Notifications. macOS: osascript. Windows: a toast by
PowerShell. Texts never become code: they are arguments, or the text of an XML document in an
environment variable. While the window is open, it shows them itself if it can: see
`window_delivery`.
"""

import os
import re
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Final

from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import said, system_reason
from gossamer.notifying.delivery_failure import DeliveryError
from gossamer.notifying.notification_messages import Message, Translate, brief_text_of, title_of

LIMIT_S: Final = 10.0
_MAX_TITLE: Final = 120
_NAME: Final = "org.freedesktop.Notifications"
_PLACE: Final = "/org/freedesktop/Notifications"
_NO_TIMEOUT: Final = -1
MACOS_SCRIPT: Final = (
    "on run argv",
    "display notification (item 2 of argv) with title (item 1 of argv)",
    "end run",
)
WINDOWS_SCRIPT: Final = """
$ErrorActionPreference = 'Stop'
$null = [Windows.UI.Notifications.ToastNotificationManager, Windows.UI.Notifications,
  ContentType = WindowsRuntime]
$null = [Windows.Data.Xml.Dom.XmlDocument, Windows.Data.Xml.Dom, ContentType = WindowsRuntime]
$toast = New-Object Windows.Data.Xml.Dom.XmlDocument
$toast.LoadXml($env:GOSSAMER_TOAST)
$id = '{1AC14E77-02E7-4E5D-B744-2EB1AE5198B7}\\WindowsPowerShell\\v1.0\\powershell.exe'
$notifier = [Windows.UI.Notifications.ToastNotificationManager]::CreateToastNotifier($id)
$notifier.Show([Windows.UI.Notifications.ToastNotification]::new($toast))
"""
_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 documents must not have (§2.2)."""


def desktop_words(message: Message, translate: Translate = str) -> tuple[str, str]:
    """Title and text of a notification: a line, and a few."""
    return one_line(title_of(message, translate), _MAX_TITLE), brief_text_of(message, translate)


def deliver_to_desktop(message: Message, translate: Translate = str) -> None:
    """Show the message; DeliveryError if nothing can show it. It blocks for some seconds."""
    title, text = desktop_words(message, translate)
    if sys.platform == "linux":
        _show_by_dbus(title, text)
    elif sys.platform in {"darwin", "win32"}:
        command, variables = command_for(sys.platform, title, text)
        _run(command, variables)
    else:
        raise DeliveryError(said("this system shows no notifications"), is_final=True)


def command_for(platform: str, title: str, text: str) -> tuple[list[str], dict[str, str]]:
    """The command that shows a notification on macOS or Windows, and its variables."""
    if platform == "darwin":
        script = [word for line in MACOS_SCRIPT for word in ("-e", line)]
        return ["osascript", *script, "--", title, text], {}
    shell = ["powershell", "-NoProfile", "-NonInteractive", "-Command", WINDOWS_SCRIPT]
    return shell, {"GOSSAMER_TOAST": toast_xml(title, text)}


def toast_xml(title: str, text: str) -> str:
    """The toast of Windows, by its "toast content schema"."""
    title, text = (escape(_NO_XML.sub("\ufffd", each), quote=False) for each in (title, text))
    return (
        '<toast><visual><binding template="ToastGeneric">'
        f"<text>{title}</text><text>{text}</text></binding></visual></toast>"
    )


def _run(command: list[str], variables: dict[str, str]) -> None:
    try:
        subprocess.run(  # noqa: S603 - our own scripts
            command,
            env={**os.environ, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=LIMIT_S,
            check=True,
        )
    except OSError as e:
        raise DeliveryError(
            said(
                "{program} cannot be started: {reason}", program=command[0], reason=system_reason(e)
            )
        ) from e
    except subprocess.SubprocessError as e:
        raise DeliveryError(said("the system shows no notifications now")) from e


def _show_by_dbus(title: str, text: str) -> None:
    from jeepney import DBusAddress, DBusErrorResponse, new_method_call  # noqa: PLC0415 - few need it
    from jeepney.io.blocking import open_dbus_connection  # noqa: PLC0415 - likewise
    from jeepney.wrappers import unwrap_msg  # noqa: PLC0415 - likewise

    address = DBusAddress(_PLACE, bus_name=_NAME, interface=_NAME)
    try:
        with open_dbus_connection(_bus()) as bus:

            def call(method: str, signature: str | None, body: tuple[object, ...]) -> object:
                message = new_method_call(address, method, signature, body)
                return unwrap_msg(bus.send_and_get_reply(message, timeout=LIMIT_S))[0]

            can = call("GetCapabilities", None, ())
            has_markup = isinstance(can, list) and "body-markup" in can
            shown = escape(text, quote=False) if has_markup else text
            call("Notify", "susssasa{sv}i", _arguments(title, shown))
    except DBusErrorResponse as e:
        raise DeliveryError(
            said("no program shows notifications here: {reason}", reason=one_line(e.name, 100))
        ) from e
    except (OSError, KeyError, ValueError, EOFError) as e:
        raise DeliveryError(said("there is no desktop session to show it in")) from e


def _arguments(title: str, text: str) -> tuple[object, ...]:
    """Program, no message to replace, icon, title, text, no buttons, no hints."""
    return ("Gossamer", 0, "gossamer", title, text, [], {}, _NO_TIMEOUT)


def _bus() -> str:
    """The address of the session's bus; not passed on by cron, but it is known."""
    if "DBUS_SESSION_BUS_ADDRESS" in os.environ:
        return "SESSION"
    socket = Path(os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{os.getuid()}")) / "bus"
    return f"unix:path={socket}" if socket.exists() else "SESSION"
