"""Mistakes in `gossamer notify` are one sentence each, and leave nothing behind."""

import asyncio
import re
import socket
from pathlib import Path

import pytest

from gossamer.cli.main import run_cli
from gossamer.fetch.webhook_request import WebhookFailedError, post
from gossamer.notifying.channels import WebhookChannel
from gossamer.notifying.conditions import ConditionKind, parse_condition
from tests.cases import each_case

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.mark.parametrize(
    "words",
    [
        ["add", "x", "--when", "ended"],
        ["add", "x", "--when", "nonsense", "--desktop"],
        ["add", "x", "--when", "page:\udcff", "--desktop"],
        ["add", "x", "--when", "page:(", "--desktop"],
        ["edit", "x", "--desktop"],
        ["disable", "x"],
        ["add", "", "--when", "ended", "--desktop"],
        ["add", "x", "--when", "ended", "--email", "a@b.example"],
        ["add", "x", "--when", "ended", "--webhook", "nonsense"],
        ["add", "x", "--when", "ended", "--desktop", "--language", "xx"],
        ["about", "none.gossamer"],
        ["remove", "x"],
    ],
)
def test_mistakes_are_one_sentence(
    words: list[str],
    capfd: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert run_cli(["notify", *words], lambda _: 0) == 2
    told = capfd.readouterr()
    assert (told.out, len(told.err.splitlines())) == ("", 1)
    assert not list(tmp_path.iterdir())


@each_case("kind", ConditionKind)
def test_help_and_documentation_name_each_condition(
    kind: ConditionKind, capfd: pytest.CaptureFixture[str]
) -> None:
    for command in ("add", "edit"):
        assert run_cli(["notify", command, "--help"], lambda _: 0) == 0
        assert re.search(rf"\b{kind}\b", capfd.readouterr().out)
    page = (DOCS / "notifications.md").read_text(encoding="utf-8")
    section = page.partition("\n## Conditions\n")[2].partition("\n## ")[0]
    assert re.search(rf"^\| `{kind}\b", section, re.MULTILINE)
    reference = (DOCS / "command-line.md").read_text(encoding="utf-8")
    assert re.search(rf"^\| `--when CONDITION` .*`{kind}\b", reference, re.MULTILINE)


@each_case(
    ("url", "named"),
    [
        ("https://a.example/", "webhook a.example"),
        ("http://127.0.0.1:8097/hook?token=x", "webhook 127.0.0.1:8097/hook"),
        ("https://u:p@a.example/services/T0/B0/x", "webhook a.example/services/…"),
        ("https://a.example/0f8fad5b", "webhook a.example/…"),
        ("http://[::1]:81/a/", "webhook [::1]:81/a"),
    ],
)
def test_webhooks_are_told_apart_without_what_may_be_secret(url: str, named: str) -> None:
    assert str(WebhookChannel(url).said) == named


@each_case(
    ("condition", "sentence"),
    [
        ("ended", "The crawl has ended"),
        ("ended:failed", "The crawl has failed"),
        ("ended:paused, failed", "The crawl has failed or paused by itself"),
        ("issue:medium", "An issue of medium or high priority has appeared"),
        ("errors:1", "More errors than 1"),
    ],
)
def test_conditions_are_sentences(condition: str, sentence: str) -> None:
    assert str(parse_condition(condition).sentence) == sentence


def test_a_refused_connection_is_told_in_words_that_can_be_translated() -> None:
    with socket.socket() as unused:  # bound, but it does not listen
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}/"
        with pytest.raises(WebhookFailedError) as failed:
            asyncio.run(post(url, b"{}", {}, 5.0))
    told = str(failed.value.said)
    assert told == "no connection: the server refuses connections"
