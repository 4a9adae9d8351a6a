"""Any details of a rendered page are kept as they are, and damage never raises."""

from hypothesis import given
from hypothesis import strategies as st

from gossamer.model.rendering import (
    NO_DETAILS,
    BlockedBy,
    ConsoleMessage,
    PageResource,
    RenderedImage,
    RenderingDetails,
    ResourceType,
)
from gossamer.model.rendering_encoding import MAX_TEXT, decode_details, encode_details
from gossamer.model.text_cleaning import clean_text

_TEXTS = st.text(max_size=60).map(clean_text)
_NUMBERS = st.integers(0, 2**53)
_RESOURCES = st.builds(
    PageResource,
    url=_TEXTS,
    type=st.sampled_from(ResourceType),
    status=st.none() | st.integers(100, 999),
    size_bytes=_NUMBERS,
    started_ms=_NUMBERS,
    elapsed_ms=_NUMBERS,
    blocked_by=st.none() | st.sampled_from(BlockedBy),
    failure=_TEXTS,
    from_cache=st.booleans(),
)
_MESSAGES = st.builds(
    ConsoleMessage, is_error=st.booleans(), text=_TEXTS, source=_TEXTS, line=_NUMBERS
)
_IMAGES = st.builds(
    RenderedImage,
    *(_TEXTS, _NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS),
    is_background=st.booleans(),
)
_DETAILS = st.builds(
    RenderingDetails,
    *(st.lists(each, max_size=5) for each in (_RESOURCES, _MESSAGES, _IMAGES, _TEXTS)),
)


@given(_DETAILS)
def test_details_are_decoded_as_they_were_encoded(details: RenderingDetails) -> None:
    assert decode_details(encode_details(details)) == details


@given(_DETAILS, st.data())
def test_damaged_details_are_details_or_nothing(
    details: RenderingDetails, data: st.DataObject
) -> None:
    encoded = bytearray(encode_details(details) or b"\x01")
    place = data.draw(st.integers(0, len(encoded) - 1))
    encoded[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(encoded)))
    assert isinstance(decode_details(bytes(encoded[:cut])), RenderingDetails)


@given(st.binary(max_size=200))
def test_any_bytes_are_details_or_nothing(encoded: bytes) -> None:
    assert isinstance(decode_details(encoded), RenderingDetails)


@given(st.text(), st.integers())
def test_whatever_a_browser_says_can_be_encoded(text: str, number: int) -> None:
    details = RenderingDetails(
        [PageResource(text, ResourceType.OTHER, number, number, number, number, None, text)] * 600,
        [ConsoleMessage(is_error=True, text=text, source=text, line=number)] * 60,
        [RenderedImage(text, number, number, number, number)] * 600,
        [text * 100] * 30,
    )
    kept = decode_details(encode_details(details))
    counts = (len(kept.resources), len(kept.console), len(kept.images), len(kept.popups))
    assert counts == (500, 50, 500, 20)
    assert max(map(len, kept.popups)) <= MAX_TEXT


def test_the_largest_details_are_read_again() -> None:
    text = "\U0001f30d" * 10_000
    details = RenderingDetails(
        [PageResource(text, ResourceType.OTHER, failure=text)] * 500,
        [ConsoleMessage(is_error=True, text=text, source=text)] * 50,
        [RenderedImage(text)] * 500,
        [text] * 20,
    )
    assert len(decode_details(encode_details(details)).resources) == 500


def test_no_details_are_no_bytes() -> None:
    assert encode_details(NO_DETAILS) is None
    assert decode_details(None) == NO_DETAILS
