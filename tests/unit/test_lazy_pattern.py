"""Tests of patterns that are compiled when they are first used."""

import re

import pytest

from gossamer.model.lazy_pattern import lazy_pattern


def test_a_lazy_pattern_finds_what_the_compiled_one_finds() -> None:
    lazy, compiled = lazy_pattern("(a)|B", re.IGNORECASE), re.compile("(a)|B", re.IGNORECASE)
    for text in ("xAb", "", "b"):
        assert lazy.findall(text) == compiled.findall(text)
        assert lazy.sub("-", text) == compiled.sub("-", text)
        assert bool(lazy.fullmatch(text)) == bool(compiled.fullmatch(text))
    assert (lazy.pattern, lazy.flags, lazy.groups) == ("(a)|B", compiled.flags, 1)


def test_a_lazy_pattern_of_bytes_searches_bytes() -> None:
    assert lazy_pattern(rb"\d+").findall(b"1 and 22") == [b"1", b"22"]


def test_a_faulty_pattern_says_so_at_its_first_use() -> None:
    lazy = lazy_pattern("(")
    with pytest.raises(re.error):
        lazy.match("")
