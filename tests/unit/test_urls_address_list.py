"""Several addresses in one text."""

import pytest

from gossamer.model.errors import UsageError
from gossamer.urls.address_list import AddressListReader, read_address_list, typed_roots


def test_each_line_is_an_address_and_each_address_counts_once() -> None:
    found = read_address_list(
        "\ufeffexample.com\n\n# a remark\n https://EXAMPLE.com/ \r\nhttps://example.com/b?c=#d\n"
    )
    assert found.addresses == ("example.com", "https://example.com/b?c=#d")
    assert found.repeated == 1
    assert found.wrong == ()


@pytest.mark.parametrize(
    ("line", "addresses"),
    [
        ("a.test b.test\tc.test/d", ("a.test", "b.test", "c.test/d")),
        ("https://a.test/1 http://b.test/2", ("https://a.test/1", "http://b.test/2")),
        ("a.test https://b.test/2", ("a.test", "https://b.test/2")),
        ("https://a.test b.test", ("https://a.test", "b.test")),
        ("https://a.test/my file.html", ("https://a.test/my file.html",)),
        ("a.test/my file", ("a.test/my file",)),
        (
            "localhost 127.0.0.1:8000 [::1]:80 pc:8080",
            ("localhost", "127.0.0.1:8000", "[::1]:80", "pc:8080"),
        ),
        ("https://user:pw@a.test https://b.test", ("https://user:pw@a.test", "https://b.test")),
        ("exämple.com 例子.测试", ("exämple.com", "例子.测试")),
    ],
)
def test_white_space_separates_what_looks_like_addresses(
    line: str, addresses: tuple[str, ...]
) -> None:
    found = read_address_list(line)
    assert found.addresses == addresses
    assert not found.wrong


@pytest.mark.parametrize(
    "line",
    [
        "not a url",
        "word",
        "exa mple.com",
        "https://a.test/\t200\tOK",
        "somebody@example.com",
        "3.14",
        "mailto:somebody@example.com",
        "https://",
        "a.test:99999",
        "Read more at example.com today.",
    ],
)
def test_a_line_that_is_no_address_is_none_and_makes_no_host(line: str) -> None:
    found = read_address_list(f"a.test\n{line}\nb.test")
    assert found.addresses == ("a.test", "b.test")
    assert [(wrong.number, wrong.text) for wrong in found.wrong] == [(2, line)]
    assert str(found.wrong[0].error)


def test_a_field_takes_one_address_or_several() -> None:
    assert typed_roots(" example.com ") == ("example.com",)
    assert typed_roots("intranet") == ("intranet",)
    assert typed_roots("a.test b.test a.test") == ("a.test", "b.test")
    assert typed_roots("https://a.test/b c") == ("https://a.test/b c",)


@pytest.mark.parametrize("typed", ["", "  ", "exa mple.com", "not a url", "a.test ftp://b.test"])
def test_what_is_typed_and_is_no_address_is_refused_whole(typed: str) -> None:
    with pytest.raises(UsageError):
        typed_roots(typed)


def test_a_list_can_be_read_bit_by_bit() -> None:
    lines = [f"a.test/{n % 7}" if n % 3 else "no address" for n in range(100)]
    whole = read_address_list("\n".join(lines))
    reader = AddressListReader("\n".join(lines))
    assert reader.found.addresses == ()
    assert [reader.read(30) for _ in range(4)] == [True, True, True, False]
    assert (
        reader.found.addresses
        == whole.addresses
        == tuple(f"a.test/{n}" for n in (1, 2, 4, 5, 0, 3, 6))
    )
    assert reader.found.repeated == whole.repeated == 59
    assert [wrong.number for wrong in reader.found.wrong] == list(range(1, 101, 3))
