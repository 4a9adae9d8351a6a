"""Texts as XML can hold them."""

import re
from typing import Final

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def xml_text(value: str) -> str:
    """`value` with U+FFFD for each character that XML cannot express."""
    return _NO_XML.sub("\ufffd", value)
