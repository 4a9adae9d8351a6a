"""The images that a `srcset` attribute offers, as the HTML Standard parses it (§4.8.4.2.2)."""

import re

_SPACE_OR_COMMAS = re.compile(r"[ \t\n\f\r,]*")
_URL = re.compile(r"[^ \t\n\f\r]+")
_SPACE = re.compile(r"[ \t\n\f\r]*")
_DESCRIPTOR = re.compile(r"(?:[^ \t\n\f\r,(]+|\([^)]*\)?)+")
_COUNT = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def srcset_urls(text: str) -> list[str]:
    """The URLs as written, in order, of the candidates that a browser would consider."""
    urls: list[str] = []
    position = 0
    while found := _URL.match(text, _end(_SPACE_OR_COMMAS, text, position)):
        url, position = found[0], found.end()
        descriptors: list[str] = []
        if url.endswith(","):
            url = url.rstrip(",")
        else:
            descriptors, position = _descriptors(text, position)
        if not descriptors or _are_valid(descriptors):
            urls.append(url)
    return urls


def _descriptors(text: str, position: int) -> tuple[list[str], int]:
    """What follows a URL up to the next comma outside of parentheses, and where that ends."""
    descriptors: list[str] = []
    position = _end(_SPACE, text, position)
    while found := _DESCRIPTOR.match(text, position):
        descriptors.append(found[0])
        position = _end(_SPACE, text, found.end())
    return descriptors, position


def _end(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where what `pattern` matches ends; it can match nothing."""
    found = pattern.match(text, position)
    return found.end() if found else position


def _are_valid(descriptors: list[str]) -> bool:
    """Whether the descriptors make sense together: one density, or a width and perhaps a height."""
    kinds = [_kind(descriptor) for descriptor in descriptors]
    return sorted(kinds) in (["w"], ["x"], ["h", "w"])


def _kind(descriptor: str) -> str:
    """`w`, `h` or `x` for a valid width, height or density; "" for anything else."""
    kind, value = descriptor[-1], descriptor[:-1]
    if kind in "wh":
        return kind if _COUNT.fullmatch(value) and value.strip("0") else ""
    is_density = kind == "x" and _NUMBER.fullmatch(value)
    return "x" if is_density and float(value) >= 0 else ""
