"""Sketches tell how many of their phrases two texts share."""

import random
from statistics import fmean

import pytest

from gossamer.extract.text_sketch import sketch_of
from gossamer.model.sketches import COUNT_BYTES, MINHASH_BYTES, SKETCH_BYTES, share_of
from tests.cases import each_case


def sketches_that_share(share: float, phrases: int, seed: int) -> tuple[float, bytes, bytes]:
    """Two texts of so many phrases each, and what they really share."""
    chance = random.Random(seed)
    both = round(2 * phrases * share / (1 + share))
    union = [chance.getrandbits(32) for _ in range(2 * phrases - both)]
    return both / len(union), sketch_of(union[:phrases]), sketch_of(union[phrases - both :])


@each_case("phrases", [26, 56, 116, 296, 1000, 3000])
@each_case("share", [0.85, 0.89, 0.91, 0.95])
def test_around_the_threshold_the_estimate_is_hardly_off(phrases: int, share: float) -> None:
    errors = []
    for seed in range(24):
        truth, one, other = sketches_that_share(share, phrases, seed)
        errors.append(share_of(one, other) - truth)
    assert fmean(error * error for error in errors) ** 0.5 < 0.02
    assert abs(fmean(errors)) < 0.01


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.7])
def test_far_below_the_threshold_the_estimate_is_rough(share: float) -> None:
    for seed in range(12):
        truth, one, other = sketches_that_share(share, 2000, seed)
        assert share_of(one, other) == pytest.approx(truth, abs=0.2)


def test_a_text_within_a_longer_one_shares_its_part() -> None:
    chance = random.Random(1)
    phrases = [chance.getrandbits(32) for _ in range(1000)]
    share = share_of(sketch_of(phrases), sketch_of(phrases[:900]))
    assert share == pytest.approx(0.9, abs=0.02)


def test_the_order_and_the_repetition_of_phrases_do_not_matter() -> None:
    assert sketch_of([3 << 30, 5, 7, 5]) == sketch_of([7, 5, 3 << 30])


def test_of_what_is_no_sketch_nothing_is_shared() -> None:
    one = sketch_of([1, 2, 3])
    assert share_of(one, b"") == 0
    assert share_of(one, one[:-1]) == 0
    assert share_of(one, bytes(SKETCH_BYTES)) == 0


def test_sketches_that_differ_more_than_any_texts_can_share_nothing() -> None:
    parity_bytes = SKETCH_BYTES - MINHASH_BYTES - COUNT_BYTES
    for phrases in (1, 20, 500, 2048):
        count = phrases.to_bytes(COUNT_BYTES, "little")
        one = bytes(MINHASH_BYTES + parity_bytes) + count
        other = b"\x55" * MINHASH_BYTES + b"\xff" * parity_bytes + count
        assert share_of(one, other) == pytest.approx(0, abs=0.01)
