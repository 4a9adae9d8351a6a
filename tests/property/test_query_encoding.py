"""Queries are encoded like those of the library that parses pages, character by character."""

import ctypes
from collections.abc import Callable
from itertools import filterfalse

import pytest
import selectolax.lexbor

from gossamer.extract.charset_detection import LABELS, encoding_for
from gossamer.urls.query_encoding import encoder

UNCHANGED = frozenset(
    "\ue78d\ue78e\ue78f\ue790\ue791\ue792\ue793\ue794\ue795\ue796"
    "\ue81e\ue826\ue82b\ue82c\ue832\ue843\ue854\ue864"
)
"""What gb18030 had before other characters came into these places, and encoders keep (§10.2.2)."""
CHARACTERS = [*range(0x80, 0xD800), *range(0xE000, 0x10000), *range(0x20000, 0x2A800)]
ALPHABETS = [*range(0x80, 0x3000), *range(0xE000, 0x10000)]
"""Where the characters are that an encoding without Han has."""
STATEFUL = {"iso-2022-jp", "x-user-defined", "iso-8859-8-i"}
OWN_ENCODERS = sorted(
    {
        (encoding.name, encoding.codec)
        for encoding in map(encoding_for, LABELS)
        if encoding is not None and encoding.is_for_queries and encoding.name not in STATEFUL
    }
)


def lexbor_encoder(name: str) -> Callable[[str], bytes | None]:
    """That of the library which parses pages; the standard's tables are in it too."""
    library = ctypes.CDLL(selectolax.lexbor.__file__)
    function = getattr(library, f"lxb_encoding_encode_{name.replace('-', '_')}_single", None)
    if function is None:
        pytest.skip("this build of lexbor does not show its encoders")
    function.argtypes = (*(ctypes.c_void_p,) * 3, ctypes.c_uint32)
    function.restype = ctypes.c_int8
    state, written = (ctypes.create_string_buffer(size) for size in (256, 16))
    start = ctypes.addressof(written)
    at, end = ctypes.c_void_p(), ctypes.c_void_p(start + 16)
    at_place = ctypes.byref(at)

    def encode(character: str) -> bytes | None:
        at.value = start
        length = function(state, at_place, end, ord(character))
        return ctypes.string_at(start, length) if length > 0 else None

    return encode


@pytest.mark.parametrize(("name", "codec"), OWN_ENCODERS, ids=lambda each: each)
def test_every_character_is_encoded_as_lexbor_does(name: str, codec: str) -> None:
    theirs, ours = lexbor_encoder(name), encoder(name, codec)
    tried = ALPHABETS if ours("\u4e00") is theirs("\u4e00") is None else CHARACTERS
    characters = filterfalse(UNCHANGED.__contains__, map(chr, tried))
    assert [each for each in characters if ours(each) != theirs(each)] == []
