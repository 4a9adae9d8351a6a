"""Keeps secrets in a file that only its owner can read, if the user chose that.

It is for computers without a keyring, such as servers. If the file exists, remembered secrets are
stored there.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from gossamer.model.errors import UsageError
from gossamer.model.translatable import system_reason
from gossamer.session.default_paths import config_folder
from gossamer.store.atomic_files import make_private, write_aside
from gossamer.store.locking.folder_lock import locked_folder

SECRETS_VERSION: Final = 1
_LOCK: Final = ".secrets.lock"
_OF_OTHERS: Final = 0o077
"""What a file mode must not allow: anything to the group, or to everybody."""

Entries = Mapping[str, Mapping[str, str]]
"""The contents: service → name → secret, as in a keyring."""


class _Version(Struct, frozen=True):
    version: int


class _StoredSecrets(Struct, frozen=True, forbid_unknown_fields=True):
    version: int = SECRETS_VERSION
    secrets: dict[str, dict[str, str]] = {}


def secrets_path() -> Path:
    """The file of secrets, next to the rules for notifications. It exists if it was chosen."""
    return config_folder() / "secrets.json"


class SecretsFile:
    """The file of secrets. UsageError if it is unusable, invalid or readable by others."""

    def __init__(self, path: Path | None = None) -> None:
        """`path` is by default that of the user."""
        self.path = secrets_path() if path is None else path

    @property
    def is_chosen(self) -> bool:
        """Whether there is the file, so that secrets go there."""
        return self.path.exists()

    def choose(self) -> None:
        """Make the file, if there is none."""
        with self._alone():
            if self.is_chosen:
                self.entries()
            else:
                self._write({})

    def entries(self) -> Entries:
        """All its entries; empty if there is no file."""
        try:
            self._ensure_private()
            text = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as e:
            raise self._unusable(e) from e
        try:
            if msgspec.json.decode(text, type=_Version).version > SECRETS_VERSION:
                raise UsageError(
                    "{path} was made by a newer Gossamer; update Gossamer to use it.",
                    path=self.path,
                )
            return msgspec.json.decode(text, type=_StoredSecrets).secrets
        except msgspec.MsgspecError:
            # What it says may quote a secret: it is not chained.
            raise UsageError(
                "The secrets in {path} cannot be read; correct the file, or remove it and enter "
                "them again.",
                path=self.path,
            ) from None

    def text(self, service: str, name: str) -> str | None:
        """A secret; None if it has none."""
        return self.entries().get(service, {}).get(name)

    def put(self, service: str, name: str, text: str) -> bool:
        """Store a secret; "" removes it. Returns whether there was one."""
        with self._alone():
            found = {each: dict(texts) for each, texts in self.entries().items()}
            had = found.setdefault(service, {}).pop(name, None)
            if text:
                found[service][name] = text
            if text or had is not None:
                self._write({each: texts for each, texts in found.items() if texts})
        return had is not None

    def hand_over(self, keep: Callable[[str, str, str], None]) -> int:
        """Pass service, name and text of each secret to `keep`, then remove the file; their number.

        No other process adds a secret meanwhile. If `keep` raises, the file stays complete.
        """
        with self._alone():
            entries = [
                (service, name, text)
                for service, texts in self.entries().items()
                for name, text in texts.items()
            ]
            for entry in entries:
                keep(*entry)
            self.path.unlink(missing_ok=True)
        return len(entries)

    def _ensure_private(self) -> None:
        if sys.platform == "win32":  # where the folders of a user are private
            return
        status = self.path.stat()
        if status.st_uid != os.geteuid():
            raise UsageError(
                "{path} belongs to another user, so its secrets are not used; remove it.",
                path=self.path,
            )
        if others_can_read(status):
            raise UsageError(
                "Others can read {path}, so its secrets are not used. Run 'chmod 600 {path}', and "
                "change the secrets if somebody may have seen them.",
                path=self.path,
            )

    def _write(self, secrets: dict[str, dict[str, str]]) -> None:
        data = msgspec.json.format(msgspec.json.encode(_StoredSecrets(secrets=secrets)))
        try:
            write_aside(self.path, data, replace=True)
        except OSError as e:
            raise self._unusable(e) from e

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Inside, no other process changes the file."""
        try:
            make_private(self.path.parent)
            with locked_folder(self.path.parent, name=_LOCK):
                yield
        except OSError as e:  # TimeoutError among them
            raise self._unusable(e) from e

    def _unusable(self, error: OSError) -> UsageError:
        return UsageError(
            "{path} cannot be read or written ({reason}); check its folder.",
            path=self.path,
            reason=system_reason(error),
        )


def others_can_read(status: os.stat_result) -> bool:
    """Whether a file is open to other users; no on Windows, where the folders of a user are not."""
    return sys.platform != "win32" and bool(stat.S_IMODE(status.st_mode) & _OF_OTHERS)
