import pytest

from app.fetch.deadline import too_slow_at


@pytest.mark.parametrize(
    ("received", "seconds"),
    [(0, 10.0), (999, 10.0), (1_000, 10.0), (1_100, 11.0), (60_000, 600.0)],
)
def test_when_a_body_becomes_too_slow(received: int, seconds: float) -> None:
    assert too_slow_at(received) == pytest.approx(seconds)


def test_the_grace_can_be_shorter() -> None:
    assert too_slow_at(0, 0.5) == pytest.approx(0.5)
    assert too_slow_at(100, 0.5) == pytest.approx(1.0)
