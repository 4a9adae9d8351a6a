"""Commands are split as each system splits them."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.model.errors import UsageError
from gossamer.notifying.command_words import join_command, split_command

WORDS = st.lists(st.text(st.sampled_from("ab \\\"'\t|&"), max_size=8), max_size=5)


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@given(words=WORDS)
def test_what_is_joined_is_split_into_the_same_words(platform: str, words: list[str]) -> None:
    assert split_command(join_command(words, platform), platform) == tuple(words)


def test_backslashes_of_windows_paths_stay() -> None:
    typed = r'"C:\Program Files\tell.exe" --to C:\logs\ it\"s "" "a""b"'
    words = ("C:\\Program Files\\tell.exe", "--to", "C:\\logs\\", 'it"s', "", 'a"b')
    assert split_command(typed, "win32") == words
    assert split_command(subprocess.list2cmdline(words), "win32") == words


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_a_quote_without_an_end_is_told(platform: str) -> None:
    with pytest.raises(UsageError, match="quote without its end"):
        split_command('say "hello', platform)
