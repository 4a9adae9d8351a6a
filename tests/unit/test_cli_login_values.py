"""The file with what is typed into a login form: read, and told of where others can read it."""

import sys
from pathlib import Path

import pytest

from gossamer.cli.credentials import values_in

VALUES = {"username": "jo", "password": "with = and space"}


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o604, 0o400])
def test_a_file_that_others_can_read_is_told_of_and_read(
    mode: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "some values.txt"
    path.write_text("".join(f"{name}={value}\n" for name, value in VALUES.items()))
    path.chmod(mode)
    assert values_in(str(path)) == VALUES
    said = capsys.readouterr().err
    is_open = sys.platform != "win32" and mode not in {0o600, 0o400}
    assert ("chmod 600 " in said and "some values.txt'" in said) == is_open
    assert VALUES["password"] not in said
