from pathlib import Path

from tests.bench.profile import OTHER, STAGES, Rule, stage_of, stages
from tests.cases import each_case

LOOP = "Runner.run (/usr/lib/python3.11/asyncio/runners.py:118)"


@each_case(
    ("frame", "stage"),
    [
        ("write_visits (/src/app/gossamer/store/writing/visit_writer.py:60)", "write"),
        ("FrameReader._decoded (/src/app/gossamer/ipc/channel.py:57)", "decode"),
        ("frame (/src/app/gossamer/ipc/channel.py:28)", "encode"),
        ("Channel._flush (/src/app/gossamer/ipc/channel.py:69)", "pass on"),
        ("Targets._resolved (/src/app/gossamer/extract/links.py:87)", "join"),
        ("extract (/src/app/gossamer/extract/html_page.py:54)", "extract"),
        ("ClientSession._request (/lib/aiohttp/client.py:1)", "fetch"),
        ("<module> (/src/app/gossamer/engine/crawl.py:1)", "start"),
        (LOOP, OTHER),
        ("[unknown]", OTHER),
    ],
)
def test_a_frame_belongs_to_its_stage(frame: str, stage: str) -> None:
    assert stage_of([LOOP, frame]) == stage
    assert stage in STAGES


def test_the_innermost_frame_that_is_known_decides() -> None:
    fetch = "Fetcher.fetch (/src/app/gossamer/fetch/fetcher.py:90)"
    extract = "extract (/src/app/gossamer/extract/html_page.py:54)"
    foreign = "_get_obj (/lib/ada_url/ada_adapter.py:113)"
    assert stage_of([LOOP, fetch, extract, foreign]) == "extract"
    assert stage_of([LOOP, fetch]) == "fetch"


def test_the_entry_of_the_program_is_no_import() -> None:
    entry = [
        "<module> (/src/app/gossamer/__main__.py:46)",
        "run_child (/src/app/gossamer/ipc/child_loop.py:30)",
        LOOP,
    ]
    assert stage_of(entry) == OTHER
    assert stage_of([*entry, "_load (<frozen importlib._bootstrap>:690)"]) == "start"


def test_a_rule_may_look_at_the_line_itself(tmp_path: Path) -> None:
    file = tmp_path / "lexbor.py"
    file.write_text("tree = Parser(body)\nfor node in tree:\n", encoding="utf-8")
    rule = Rule("parse", "lexbor.py", source="Parser(")
    assert rule.holds("find", str(file), 1)
    assert not rule.holds("find", str(file), 2)


def test_a_rule_takes_no_name_that_only_ends_alike() -> None:
    assert Rule("encode", "framing.py", function="frame").holds("Channel.frame", "framing.py", 1)
    assert not Rule("encode", "framing.py", function="frame").holds("deframe", "framing.py", 1)


def test_looks_are_summed_and_waiting_is_left_out() -> None:
    raw = [
        f"{LOOP};commit (/src/app/gossamer/store/writing/writer.py:1) 3",
        f"{LOOP};move (/src/app/gossamer/store/writing/writer.py:9) 2",
        f"{LOOP} 4",
        "_worker (/usr/lib/python3.11/concurrent/futures/thread.py:81) 100",
        " 7",
    ]
    assert stages(raw) == {"write": 5, OTHER: 4}
