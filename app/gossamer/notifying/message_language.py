"""Translates messages into the language of their rule, with the translations of the window.

The files are Qt's (.qm); this reads them without Qt, which only the window may import. Their format
is that of `QTranslator` and has not changed since Qt 4: a table of hashes of source texts, and
records of tagged fields.
"""

import struct
from collections.abc import Iterator
from functools import cache, partial
from typing import Final

from gossamer.model.program_resources import resource_path
from gossamer.notifying.notification_messages import Translate

_MAGIC: Final = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")
_HASHES, _MESSAGES = 0x42, 0x69
_END, _TRANSLATION, _OBSOLETE, _SOURCE, _CONTEXT, _COMMENT = 1, 3, 5, 6, 7, 8
_LATER: Final = 0xFFFFFFFF
_CONTEXT_OF_SENTENCES: Final = b"Sentences"


def translator(language: str) -> Translate:
    """The function that translates templates into a language; English needs none."""
    return str if language == "en" else partial(_translated, language)


def _translated(language: str, template: str) -> str:
    """The template in that language; itself if there is no translation."""
    hashes, messages = _tables(language)
    source = template.encode()
    for offset in hashes.get(elf_hash(source), ()):
        found = _record(messages, offset, source)
        if found is not None:
            return found
    return template


def elf_hash(text: bytes) -> int:
    """The hash of Qt's tables, which is that of ELF's symbol tables."""
    value = 0
    for byte in text:
        value = (value << 4) + byte
        top = value & 0xF0000000
        value = (value ^ (top >> 24)) & ~top & _LATER
    return value or 1


@cache
def _tables(language: str) -> tuple[dict[int, list[int]], bytes]:
    """Hash → offsets of records, and the records; empty if there is no such file."""
    try:
        data = resource_path("translations").joinpath(f"gossamer_{language}.qm").read_bytes()
    except OSError:
        return {}, b""
    sections = dict(_sections(data)) if data.startswith(_MAGIC) else {}
    hashes: dict[int, list[int]] = {}
    for hash_, offset in struct.iter_unpack(">II", sections.get(_HASHES, b"")):
        hashes.setdefault(hash_, []).append(offset)
    return hashes, sections.get(_MESSAGES, b"")


def _sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    at = len(_MAGIC)
    while at + 5 <= len(data):
        tag, length = struct.unpack_from(">BI", data, at)
        at += 5
        yield tag, data[at : at + length]
        at += length


def _record(messages: bytes, at: int, source: bytes) -> str | None:
    """The translation in a record, if it is one of that text among the sentences."""
    found: str | None = None
    while at < len(messages) and messages[at] != _END:
        tag = messages[at]
        if tag == _OBSOLETE:
            at += 5
            continue
        (length,) = struct.unpack_from(">I", messages, at + 1)
        at += 5
        length = 0 if length == _LATER else length
        value = messages[at : at + length]
        at += length
        expected = {_SOURCE: source, _CONTEXT: _CONTEXT_OF_SENTENCES, _COMMENT: b""}.get(tag)
        if expected is not None and value != expected:
            return None
        if tag == _TRANSLATION and found is None:
            found = value.decode("utf-16-be")
    return found or None
