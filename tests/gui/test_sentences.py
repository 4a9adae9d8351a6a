"""How the window calls things."""

import pytest

from gossamer.gui.text.translated_sentences import host_of


@pytest.mark.parametrize(
    ("root", "host"),
    [
        ("https://xn--exmple-cua.com/", "exämple.com"),
        ("http://xn--exmple-cua.com:8000/a", "exämple.com:8000"),
        ("exämple.com/x", "exämple.com"),
        ("https://jo:pw@example.com/", "example.com"),
        ("http://[::1]:80/", "[::1]:80"),
        ("", ""),
    ],
)
def test_a_site_is_named_by_its_unicode_host(root: str, host: str) -> None:
    assert host_of(root) == host
