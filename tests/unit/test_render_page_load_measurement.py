"""Lab metrics from what a browser has observed, by the definitions of web.dev."""

import pytest

from gossamer.model.rendering import PageResource, ResourceType
from gossamer.page_worker.page_load_values import transfer_values
from gossamer.render.page_load_measurement import (
    LayoutShift,
    LoadMetrics,
    LoadObserved,
    LongTask,
    cumulative_layout_shift,
    load_metrics,
    total_blocking_ms,
)
from tests.cases import each_case


@each_case(
    ("shifts", "score"),
    [
        ([], 0),
        ([(100, 0.1)], 0.1),
        ([(0, 0.1), (50, 0.1)], 0.2),
        ([(100, 0.1), (1099, 0.1)], 0.2),
        ([(100, 0.1), (1100, 0.15)], 0.15),
        ([(100, 0.3), (1200, 0.1), (1300, 0.1)], 0.3),
        ([(900 * n, 0.1) for n in range(8)], 0.6),
    ],
    ids=["none", "one", "from the start", "gap under 1 s", "gap of 1 s", "largest", "5 s at most"],
)
def test_layout_shift_is_the_largest_session_window(
    shifts: list[tuple[float, float]], score: float
) -> None:
    found = cumulative_layout_shift(LayoutShift(*each) for each in shifts)
    assert found == pytest.approx(score)


@each_case(
    ("tasks", "blocking_ms"),
    [
        ([], 0),
        ([(200, 51)], 1),
        ([(200, 250), (500, 60)], 210),
        ([(10, 80)], 0),
        ([(50, 200)], 100),
        ([(90, 55)], 0),
        ([(200, 100), (5299, 100)], 100),
        ([(200, 100), (5300, 100)], 50),
        ([(5100, 100)], 0),
    ],
    ids=[
        "none",
        "1 ms over",
        "two",
        "before the paint",
        "across the paint",
        "short after the paint",
        "quiet for less than 5 s",
        "interactive after 5 s",
        "interactive at once",
    ],
)
def test_blocking_time_is_what_tasks_exceed_50_ms_by_until_the_page_is_interactive(
    tasks: list[tuple[float, float]], blocking_ms: float
) -> None:
    found = total_blocking_ms([LongTask(*each) for each in tasks], 100)
    assert found == pytest.approx(blocking_ms)


def test_times_begin_when_the_page_was_asked_for() -> None:
    observed = LoadObserved(60.4, 900.2, [], [], responded=10)
    assert load_metrics(observed, 300) == LoadMetrics(350, 1190, 0, 0)


def test_what_was_never_painted_has_no_time() -> None:
    assert load_metrics(LoadObserved(0, 0, [], [], responded=2), 300) == LoadMetrics(
        None, None, 0, 0
    )


def test_transfers_are_summed_by_type_and_owner() -> None:
    def of(url: str, kind: ResourceType, size_bytes: int) -> PageResource:
        return PageResource(url, kind, 200, 9, transferred_bytes=size_bytes)

    resources = [
        of("https://www.example.com/a.js", ResourceType.SCRIPT, 100),
        of("https://cdn.example.com:8443/b.js", ResourceType.SCRIPT, 20),
        of("https://tracker.example.net/c.js", ResourceType.SCRIPT, 3),
        of("https://example.com/a.css", ResourceType.STYLESHEET, 1_000),
        of("https://example.com/a.png", ResourceType.IMAGE, 20_000),
        of("https://fonts.example.org/a.woff2", ResourceType.FONT, 300_000),
        of("https://example.com/data", ResourceType.FETCH, 4_000_000),
        of("data:image/png;base64,AA", ResourceType.IMAGE, 0),
    ]
    assert transfer_values("https://example.com/", 50_000_000, resources) == {
        "page_bytes": 54_321_123,
        "script_bytes": 123,
        "style_bytes": 1_000,
        "image_bytes": 20_000,
        "font_bytes": 300_000,
        "third_party_requests": 2,
        "third_party_bytes": 300_003,
    }


@pytest.mark.parametrize(("url", "others"), [("http://127.0.0.1:80/", 1), ("http://[::1]/", 2)])
def test_addresses_belong_to_themselves(url: str, others: int) -> None:
    asked = ["http://127.0.0.1:8080/a", "http://127.0.0.2/a"]
    resources = [PageResource(each, ResourceType.FETCH) for each in asked]
    assert transfer_values(url, 0, resources)["third_party_requests"] == others
