"""Lists of addresses on the command line."""

import io
from pathlib import Path

import pytest

from gossamer.cli.command_parser import parse
from gossamer.cli.parsed_commands import CrawlCommand
from gossamer.cli.text_input import file_text
from gossamer.cli.url_list_input import read_addresses
from gossamer.model.errors import UsageError


def test_a_line_is_an_address(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("\ufeffexample.com/a\n\n  # by hand\n https://example.com/b?c=#d \r\n")
    assert read_addresses(str(file)) == ("example.com/a", "https://example.com/b?c=#d")


def typed(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_standard_input(monkeypatch: pytest.MonkeyPatch, mark: bytes) -> None:
    typed(monkeypatch, mark + "ä.test\nb.test\n".encode())
    assert read_addresses("-") == ("ä.test", "b.test")


def test_standard_input_that_cannot_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gossamer.cli.url_list_input.MAX_BYTES", 12)
    typed(monkeypatch, b"a.test\nb.test\n")
    with pytest.raises(UsageError, match="larger than 12 bytes"):
        read_addresses("-")
    typed(monkeypatch, b"\xff\xfe")
    with pytest.raises(UsageError, match="not UTF-8"):
        read_addresses("-")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(UsageError, match="no standard input"):
        read_addresses("-")


def test_a_text_has_a_largest_size(tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"\xef\xbb\xbfa\xff")
    assert file_text(file, 5) == "a\ufffd"
    for size, said in ((4, "4 bytes"), (3, "3 bytes")):
        with pytest.raises(UsageError, match=f"a.txt is larger than {said}"):
            file_text(file, size)
    file.write_bytes(bytes(2049))
    with pytest.raises(UsageError, match="larger than 2 KiB"):
        file_text(file, 2048)


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"\n# nothing\n", "contains no URLs"), (b"\xff\xfe\x00\x81", "not a text")],
)
def test_an_invalid_list_is_refused_with_the_reason(
    tmp_path: Path, content: bytes, said: str
) -> None:
    file = tmp_path / "list.txt"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=said):
        read_addresses(str(file))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such device")
def test_a_list_without_an_end_is_refused() -> None:
    with pytest.raises(UsageError, match="larger than 64 MiB"):
        read_addresses("/dev/zero")


def test_a_missing_list_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read_addresses(str(tmp_path / "none.txt"))


def test_a_list_is_fetched_without_following_links(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("a.test\nb.test\n")
    asked = parse(["crawl", "--list", str(file), "c.test"])
    assert isinstance(asked, CrawlCommand)
    assert asked.settings.roots == ("c.test", "a.test", "b.test")
    assert asked.settings.list_only


def test_an_invalid_line_of_a_list_is_named(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("a.test\nnot a url\nword\n")
    with pytest.raises(
        UsageError, match=r'list\.txt, line 2 \(1 more like it\): "not a url" is not'
    ):
        read_addresses(str(file))
