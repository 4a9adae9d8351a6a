import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.bench.__main__ import NAMES, main, parser
from tests.bench.machine import Machine, cpu_model, describe
from tests.bench.report import HEADINGS, Findings, as_json, number, publish, table
from tests.bench.series import PRODUCT, Series
from tests.cases import each_case

MACHINE = Machine("a processor", 2, 4.0, "Linux 6", "3.11.2", 0.5, {"aiohttp": "3"}, "abc")
FINDINGS = Findings(
    "crawl",
    [
        Series("site, crawl", PRODUCT, "pages/s", (1900.0, 2000.0, 2100.0)),
        Series("site, crawl", "Scrapy", "pages/s", (95.0, 100.0, 105.0), "≥ 18"),
    ],
    warnings=["Scrapy crawled OTHER PAGES"],
)


def test_table_has_a_row_per_contestant_with_its_ratio() -> None:
    heading, rule, product, peer, warning = table(FINDINGS).splitlines()
    assert heading.split() == list(HEADINGS)
    assert set(rule) == {"-"}
    assert " ".join(product.split()) == "site, crawl Gossamer 2,000 pages/s 1,900 2,100"
    assert " ".join(peer.split()) == "site, crawl Scrapy 100 pages/s 95 105 20.00 ≥ 18"
    assert warning == "! Scrapy crawled OTHER PAGES"


def test_columns_are_aligned() -> None:
    _, _, product, peer, _ = table(FINDINGS).splitlines()
    assert product.index("2,000") + len("2,000") == peer.index("100") + len("100")


def test_json_holds_every_round_and_the_machine() -> None:
    at = datetime(2026, 11, 20, 12, tzinfo=UTC)
    told = json.loads(as_json(FINDINGS, MACHINE, at))
    assert told["at"] == "2026-11-20T12:00:00+00:00"
    assert told["machine"]["cpu"] == "a processor"
    assert told["series"][1]["values"] == [95.0, 100.0, 105.0]
    assert told["series"][1]["ratio"] == 20
    assert told["series"][0]["ratio"] is None
    assert told["warnings"] == ["Scrapy crawled OTHER PAGES"]


def test_what_is_published_is_printed_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = publish(FINDINGS, MACHINE, tmp_path / "new")
    printed = capsys.readouterr().out
    assert table(FINDINGS) in printed
    assert "a processor, 2 cores" in printed
    assert str(path) in printed
    assert json.loads(path.read_text(encoding="utf-8"))["benchmark"] == "crawl"


@each_case(
    ("value", "text"),
    [(1912.4, "1,912"), (16, "16"), (15.26, "15.3"), (0.8412, "0.841"), (0, "0"), (-0.5, "-0.5")],
)
def test_numbers_keep_what_means_something(value: float, text: str) -> None:
    assert number(value) == text


def test_this_machine_can_be_described() -> None:
    machine = describe()
    assert machine.cores >= 1
    assert machine.memory_gib > 0
    assert "aiohttp" in machine.versions


def test_processor_is_read_from_what_the_kernel_tells() -> None:
    assert cpu_model("processor\t: 0\nmodel name\t: Some  CPU 3\nflags: x\n") == "Some CPU 3"
    assert cpu_model("processor\t: 0\n") == ""


def test_every_benchmark_is_explained() -> None:
    assert all(name in parser().format_help() for name in NAMES)
    assert all((Path(__file__).parents[1] / "bench" / f"{name}.py").exists() for name in NAMES)


def test_unknown_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["nonsense"])
    assert "no benchmark is named nonsense" in capsys.readouterr().err
