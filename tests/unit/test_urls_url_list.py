"""Several addresses in one text."""

import random

import pytest

from gossamer.model.errors import UsageError
from gossamer.urls.url_list import AddressListReader, read_address_list, typed_roots
from tests.cases import each_case


def test_each_line_is_an_address_and_each_address_counts_once() -> None:
    found = read_address_list(
        "\ufeffexample.com\n\n# a remark\n https://EXAMPLE.com/ \r\nhttps://example.com/b?c=#d\n"
    )
    assert found.addresses == ("example.com", "https://example.com/b?c=#d")
    assert found.repeated == 1
    assert found.wrong == ()


def test_views_behind_a_hash_are_addresses_of_their_own() -> None:
    found = read_address_list(
        "a.test/#/cart\na.test/#/\na.test/#part\na.test/#!/cart\na.test/#/cart"
    )
    assert found.addresses == ("a.test/#/cart", "a.test/#/", "a.test/#!/cart")
    assert found.repeated == 2


@each_case(
    ("line", "addresses"),
    [
        ("a.test b.test\tc.test/d", ("a.test", "b.test", "c.test/d")),
        ("https://a.test/1 http://b.test/2", ("https://a.test/1", "http://b.test/2")),
        ("a.test https://b.test/2", ("a.test", "https://b.test/2")),
        ("https://a.test b.test", ("https://a.test", "b.test")),
        ("a.test/1, a.test/2, b.test", ("a.test/1", "a.test/2", "b.test")),
        ("https://a.test/1; https://a.test/2", ("https://a.test/1", "https://a.test/2")),
        ("https://a.test/x,y;", ("https://a.test/x,y;",)),
        ("https://a.test/x, y z.html", ("https://a.test/x, y z.html",)),
        ("https://a.test/x, y.html", ("https://a.test/x, y.html",)),
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


@pytest.mark.parametrize("number", [3, 10_000])
def test_commas_between_addresses_are_no_part_of_them_however_many_there_are(number: int) -> None:
    addresses = tuple(f"https://a.test/{n}" for n in range(number))
    assert read_address_list(", ".join(addresses)).addresses == addresses
    assert typed_roots(", ".join(addresses)) == addresses


@each_case(
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
    assert typed_roots("a.test; b.test, a.test") == ("a.test", "b.test")
    assert typed_roots("https://a.test/b c") == ("https://a.test/b c",)


@each_case("typed", ["", "  ", "exa mple.com", "not a url", "a.test ftp://b.test"])
def test_what_is_typed_and_is_no_address_is_refused_whole(typed: str) -> None:
    with pytest.raises(UsageError):
        typed_roots(typed)


@pytest.mark.parametrize("end", ["\n", " ", "\r\n"])
def test_a_list_can_be_read_bit_by_bit(end: str) -> None:
    """However it is set: all of it may stand on one line."""
    words = [f"a.test/{n % 7}" for n in range(100)]
    whole = read_address_list(end.join(words))
    assert (len(whole.addresses), whole.repeated) == (7, 93)
    reader = AddressListReader(end.join(words))
    assert reader.found.addresses == ()
    bits = 0
    while reader.read(10):
        bits += 10
        known = len(reader.found.addresses) + reader.found.repeated
        assert known <= bits
    assert 100 <= bits <= 400
    assert reader.found == whole


def test_lines_end_where_python_ends_them() -> None:
    chance = random.Random(7)
    for chunk in (1, 2, 3, 5, 100):
        for _ in range(200):
            text = "".join(chance.choices("x\n\r\t \x1c\x85\u2028", k=chance.randrange(12)))
            lines = [number for number, x in enumerate(text.splitlines(), 1) if x.strip()]
            reader = AddressListReader(text, chunk)
            reader.read()
            found = reader.found
            assert [wrong.number for wrong in found.wrong] == lines, repr(text)


def test_a_line_longer_than_any_address_is_said_to_be_none() -> None:
    found = read_address_list(f"a.test\n{'b' * 100_000}\n{'c ' * 100_000}\nd.test")
    assert found.addresses == ("a.test", "d.test")
    assert [wrong.number for wrong in found.wrong] == [2, 3]
    assert all(len(str(wrong.error)) < 300 for wrong in found.wrong)
