"""Saves secrets, if the user asks for it: in the system keyring, or in a file that was chosen.

Each origin has an entry. The keyring is opened when a crawl needs a secret that nobody has given. A
system without one, or one that is locked, is not a failure of the crawl: then secrets are asked for
again. Where the file of secrets was chosen, it is looked at first, and the keyring for what it has
not.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from gossamer.model.errors import UsageError
from gossamer.model.secrets import OriginSecrets, Secrets
from gossamer.model.translatable import Translatable, said
from gossamer.session.secrets_file import SecretsFile

SERVICE: Final = "gossamer"
_NOTIFICATIONS: Final = "gossamer notifications"


def chosen_file() -> Path | None:
    """The file in which remembered secrets are stored; None if they are in the keyring."""
    file = SecretsFile()
    return file.path if file.is_chosen else None


def secrets_location() -> Translatable:
    """Where remembered secrets are stored."""
    file = chosen_file()
    if file is not None:
        return said("in the file {path}, which only you can read", path=file)
    return said("in the system keyring")


def recalled(origins: Iterable[str]) -> Secrets:
    """The remembered secrets of these origins. It blocks, as the user may have to unlock it.

    UsageError if there is a file of secrets that cannot be used.
    """
    found = {origin: _recalled(origin) for origin in origins}
    return Secrets({origin: secrets for origin, secrets in found.items() if secrets is not None})


def remember(secrets: Secrets) -> None:
    """Store `secrets`, replacing those of the same origins. It may block.

    Raises UsageError if there is no keyring or it refuses, and no file of secrets.
    """
    for origin, each in secrets.origins.items():
        _put(
            SERVICE,
            origin,
            msgspec.json.encode(each).decode(),
            UsageError(
                "The system keyring is missing or locked, so the password was not stored; you "
                "will be asked for it again. 'gossamer secrets file' stores passwords in a file "
                "that only you can read."
            ),
        )


def forget(origins: Iterable[str]) -> tuple[str, ...]:
    """Remove the secrets of these origins; returns those that had any.

    It may block. Raises UsageError if there is no keyring or it refuses.
    """
    refused = UsageError(
        "The system keyring is missing or locked, so what is saved there stays; unlock it and try "
        "again."
    )
    return tuple([each for each in origins if _remove(SERVICE, each, refused)])


def recalled_text(name: str) -> str | None:
    """A secret of notifications, by its name; None if there is none. It may block.

    Raises UsageError if it is not in the file of secrets, and there is no keyring or it is locked.
    """
    kept = SecretsFile().text(_NOTIFICATIONS, name)
    if kept is not None:
        return kept
    import keyring  # noqa: PLC0415 - takes long to import, and few notifications have secrets

    try:
        return keyring.get_password(_NOTIFICATIONS, name)
    except Exception:  # noqa: BLE001 - each system's backend raises what it likes
        raise UsageError(
            "The system keyring is missing or locked; unlock it, and messages are sent then. "
            "Without one, run 'gossamer secrets file' and add the rule again."
        ) from None


def remember_text(name: str, text: str) -> None:
    """Keep a secret of notifications under a name; "" removes it. Raises as `remember`."""
    refused = UsageError(
        "The system keyring is missing or locked; unlock it and try again. Without one, "
        "'gossamer secrets file' stores secrets in a file that only you can read."
    )
    if text:
        _put(_NOTIFICATIONS, name, text, refused)
    else:
        _remove(_NOTIFICATIONS, name, refused)


def move_to_keyring() -> int:
    """Move the secrets from the file into the keyring, and remove the file; returns their number.

    UsageError, with nothing removed, if there is no keyring or it refuses.
    """
    import keyring  # noqa: PLC0415 - as above

    file = SecretsFile()

    def keep(service: str, name: str, text: str) -> None:
        try:
            keyring.set_password(service, name, text)
        except Exception:  # noqa: BLE001 - what it raises may quote what it was given
            raise UsageError(
                "The system keyring is missing or locked, so secrets stay in {path}.",
                path=file.path,
            ) from None

    return file.hand_over(keep)


def _put(service: str, name: str, text: str, refused: UsageError) -> None:
    file = SecretsFile()
    if file.is_chosen:
        file.put(service, name, text)
        return
    import keyring  # noqa: PLC0415 - as above

    try:
        keyring.set_password(service, name, text)
    except Exception:  # noqa: BLE001 - each system's backend raises what it likes
        # What it raises may quote what it was given: it is not chained.
        raise refused from None


def _remove(service: str, name: str, refused: UsageError) -> bool:
    """Whether there was such a secret, in the file or the keyring."""
    import keyring  # noqa: PLC0415 - as above

    file = SecretsFile()
    was_in_file = file.is_chosen and file.put(service, name, "")
    try:
        if keyring.get_password(service, name) is not None:
            keyring.delete_password(service, name)
            return True
    except Exception:  # noqa: BLE001 - each system's backend raises what it likes
        if not file.is_chosen:
            raise refused from None
    return was_in_file


def _recalled(origin: str) -> OriginSecrets | None:
    import keyring  # noqa: PLC0415 - takes long to import, and few crawls have secrets

    text = SecretsFile().text(SERVICE, origin)
    with suppress(Exception):  # each system's backend raises what it likes; one that is odd is none
        text = text or keyring.get_password(SERVICE, origin)
        return msgspec.json.decode(text, type=OriginSecrets).checked() if text else None
    return None
