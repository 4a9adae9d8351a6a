"""Keyrings of the `keyring` library for tests: in memory, in a file, broken."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked


class MemoryKeyring(KeyringBackend):
    """Keeps what it is given."""

    priority = -1  # it is used by who sets it, and no other test gets it by default

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call] # keyring does not annotate it
        self.entries: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.entries[service, username]


class LockedKeyring(KeyringBackend):
    """Refuses, and quotes what it was given."""

    priority = -1  # it is used by who sets it, and no other test gets it by default

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked(f"{service} {username} {password}")


class FileKeyring(KeyringBackend):
    """Keeps entries in the file that TEST_KEYRING names, for tests with processes of their own."""

    priority = -1  # it is used by who sets it, and no other test gets it by default

    def get_password(self, service: str, username: str) -> str | None:
        return self._entries().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        entries = self._entries() | {f"{service} {username}": password}
        self._file.write_text(json.dumps(entries), "utf-8")

    def delete_password(self, service: str, username: str) -> None:
        entries = self._entries()
        del entries[f"{service} {username}"]
        self._file.write_text(json.dumps(entries), "utf-8")

    @property
    def _file(self) -> Path:
        return Path(os.environ["TEST_KEYRING"])

    def _entries(self) -> dict[str, str]:
        if not self._file.exists():
            return {}
        entries: dict[str, str] = json.loads(self._file.read_text("utf-8"))
        return entries
