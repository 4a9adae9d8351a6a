"""The faults of structured data as project files keep them."""

from gossamer.model.messages.page_contents_messages import FaultKind
from gossamer.model.structured_faults import MAX_OF_KIND, encode_faults, faults_said

REQUIRED, RECOMMENDED = FaultKind.MISSING_REQUIRED, FaultKind.MISSING_RECOMMENDED


def test_faults_are_kept_by_kind_and_by_what_they_are_in() -> None:
    text = encode_faults(
        [
            *((RECOMMENDED, "Recipe", "video"), (REQUIRED, "Recipe", "image")),
            *((REQUIRED, "Recipe", "name"), (REQUIRED, "Product", "name")),
            (REQUIRED, "Recipe", "image"),
            (FaultKind.PARSE_ERROR, "", "it ends\ntoo soon"),
        ]
    )
    assert text == "1 it ends too soon\n7 Recipe: image, name; Product: name\n8 Recipe: video"
    assert faults_said(text, {REQUIRED}) == "Recipe: image, name; Product: name"
    assert faults_said(text, {REQUIRED, RECOMMENDED}).endswith("Product: name; Recipe: video")
    assert faults_said(text, {FaultKind.UNKNOWN_TYPE}) == faults_said(None, {REQUIRED}) == ""


def test_no_faults_are_nothing_and_many_are_cut() -> None:
    assert encode_faults([]) is None
    many = encode_faults((REQUIRED, f"Type{n}", f"property{n}") for n in range(10_000))
    assert many is not None
    assert len(many) <= MAX_OF_KIND + 2
