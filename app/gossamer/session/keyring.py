"""Saves secrets in the system keyring, one entry per origin, if the user asks for it.

The keyring is opened when a crawl needs a secret that nobody has given. A system without one, or
one that is locked, is not a failure of the crawl: then secrets are asked for again.
"""

from collections.abc import Iterable
from typing import Final

import msgspec

from gossamer.model.errors import UsageError
from gossamer.model.secrets import OriginSecrets, Secrets

SERVICE: Final = "gossamer"
_NOTIFICATIONS: Final = "gossamer notifications"


def recalled(origins: Iterable[str]) -> Secrets:
    """What the keyring has for these origins. It may ask the person to unlock it, so it blocks."""
    found = {origin: _recalled(origin) for origin in origins}
    return Secrets({origin: secrets for origin, secrets in found.items() if secrets is not None})


def remember(secrets: Secrets) -> None:
    """Keep `secrets` in place of what the keyring has for the same origins. It may block.

    Raises UsageError where there is no keyring or it refuses.
    """
    import keyring  # noqa: PLC0415 - takes long to import, and few crawls have secrets

    for origin, each in secrets.origins.items():
        try:
            keyring.set_password(SERVICE, origin, msgspec.json.encode(each).decode())
        except Exception:  # noqa: BLE001 - each system's backend raises what it likes
            # What it raises may quote what it was given: it is not chained.
            raise UsageError(
                "The system keyring is missing or locked, so the password was not stored; you "
                "will be asked for it again."
            ) from None


def forget(origins: Iterable[str]) -> tuple[str, ...]:
    """Take out of the keyring what it has for these origins; those of them it had any for.

    It may block. Raises UsageError where there is no keyring or it refuses.
    """
    import keyring  # noqa: PLC0415 - takes long to import, and few crawls have secrets

    forgotten = []
    for origin in origins:
        try:
            if keyring.get_password(SERVICE, origin) is not None:
                keyring.delete_password(SERVICE, origin)
                forgotten.append(origin)
        except Exception:  # noqa: BLE001 - each system's backend raises what it likes
            raise UsageError(
                "The system keyring is missing or locked; unlock it and try again."
            ) from None
    return tuple(forgotten)


def recalled_text(name: str) -> str | None:
    """A secret of notifications, by its name; None if there is none. It may block.

    Raises UsageError where there is no keyring or it is locked.
    """
    import keyring  # noqa: PLC0415 - takes long to import, and few notifications have secrets

    try:
        return keyring.get_password(_NOTIFICATIONS, name)
    except Exception:  # noqa: BLE001 - each system's backend raises what it likes
        raise UsageError(
            "The system keyring is missing or locked; unlock it, and messages are sent then."
        ) from None


def remember_text(name: str, text: str) -> None:
    """Keep a secret of notifications under a name; "" removes it. Raises as `recalled_text`."""
    import keyring  # noqa: PLC0415 - takes long to import, and few notifications have secrets

    try:
        if text:
            keyring.set_password(_NOTIFICATIONS, name, text)
        elif keyring.get_password(_NOTIFICATIONS, name) is not None:
            keyring.delete_password(_NOTIFICATIONS, name)
    except Exception:  # noqa: BLE001 - what it raises may quote what it was given
        raise UsageError(
            "The system keyring is missing or locked; unlock it and try again."
        ) from None


def _recalled(origin: str) -> OriginSecrets | None:
    import keyring  # noqa: PLC0415 - takes long to import, and few crawls have secrets

    try:
        text = keyring.get_password(SERVICE, origin)
        return msgspec.json.decode(text, type=OriginSecrets).checked() if text else None
    except Exception:  # noqa: BLE001 - likewise, and an entry that cannot be read is none
        return None
