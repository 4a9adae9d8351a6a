"""Runs `gossamer secrets`: shows where secrets are kept, and changes that."""

from gossamer.cli.parsed_commands import SecretsCommand
from gossamer.cli.terminal import counted, printable, write_out
from gossamer.model.errors import UsageError
from gossamer.session.keyring import move_to_keyring, secrets_location
from gossamer.session.secrets_file import SecretsFile

_FILE = "file"
_KEYRING = "keyring"


def choose_location(command: SecretsCommand) -> int:
    """Run `gossamer secrets` and return the exit code."""
    if command.place not in {None, _FILE, _KEYRING}:
        raise UsageError("Secrets are kept in the system keyring or in a file: keyring, file.")
    file = SecretsFile()
    if command.place == _FILE:
        file.choose()
    elif command.place == _KEYRING:
        moved = move_to_keyring()
        if moved:
            write_out(f"Moved {counted(moved, 'secret')} to the system keyring.\n")
    kept = sum(map(len, file.entries().values()))
    count = f" ({counted(kept, 'secret')})" if file.is_chosen else ""
    write_out(f"Secrets are kept {printable(str(secrets_location()))}{count}.\n")
    return 0
