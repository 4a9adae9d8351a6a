"""The home folder in a value that begins with something else: no shell expands `~` there."""

import re
from pathlib import Path

import pytest

from gossamer.cli.credential_options import credential_options_of
from gossamer.cli.credentials import secrets_of
from gossamer.cli.word_lists import words_of
from gossamer.export.comparison_export import checked_table
from gossamer.model.errors import UsageError
from gossamer.model.file_names import typed_path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


def test_a_table_of_a_comparison_is_written_there(home: Path) -> None:
    assert checked_table("issues=~/x.csv") == ("issues", home / "x.csv")


def test_a_list_of_words_is_read_there(home: Path) -> None:
    (home / "words").write_text("one\ntwo\n")
    assert words_of(["@~/words", "three"]) == ("one", "two", "three")


def test_the_home_folder_of_nobody_is_a_name_like_any_other(home: Path) -> None:
    assert typed_path("~") == home
    assert typed_path("~no such user/a") == Path("~no such user/a")


def test_the_certificate_of_an_origin_is_looked_for_there(home: Path) -> None:
    typed = credential_options_of((), (), ["https://a.test=~/a.pem"], (), (), remember=False)
    with pytest.raises(UsageError, match=re.escape(f"{home / 'a.pem'}: ")):
        secrets_of(typed)
