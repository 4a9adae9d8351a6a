"""Formatting elements that a parser repeats in each paragraph: few enough, and nothing is lost."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from gossamer.extract.custom_markup import PageMarkup
from gossamer.extract.html_page import extract
from gossamer.extract.parser_limits import MAX_REPEATED, Markup, repeats_at_most, without_repetition
from gossamer.model.settings.request_settings import Parser
from tests.cases import each_case

URL = "https://example.com/docs/page.html"
NAMES = b"b big code em font i nobr s small strike strong tt u".split()
MAX_MB = 200
MEASURE = """
import os, sys
from pathlib import Path
from gossamer.extract.html_page import extract
from gossamer.model.settings.request_settings import Parser
for path in map(Path, sys.argv[2:]):
    if os.fork():
        os.wait()  # the next has a process of its own, as large as this one is
        continue
    page = extract(path.read_bytes(), "https://example.com/", None, Parser(sys.argv[1]))
    status = Path("/proc/self/status").read_text()
    peak_mb = int(status.partition("VmHWM:")[2].split()[0]) // 1024
    print(path.name, page.facts.word_count, peak_mb, sep="=", flush=True)
    os._exit(0)
"""


def different(count: int, form: bytes = b"<b a=%d>") -> bytes:
    return b"".join(form % number for number in range(count))


PARAGRAPHS = b"<p>x" * 1000
BOMBS = {
    "small": b"<p>" + different(1000) + PARAGRAPHS,
    "capitals": b"<p>" + different(1000, b"<FONT\nA%d>") + PARAGRAPHS,
    "slashes": b"<p>" + different(1000, b"<nobr/a%d>") + PARAGRAPHS,
    "feigned ends": b"<p>" + different(1000, b"<i a=%d></b><!--</i>-->") + PARAGRAPHS,
    "ends in comments": b"<p>" + different(1000, b'<i a="%d">x<!--</i>-->') + PARAGRAPHS,
    "ends in attributes": b"<p>" + different(1000, b'<i a="%d">x<span a="</i>">') + PARAGRAPHS,
    "ends of others": b"<p>" + different(1000, b'<i a="%d">x<span></span></b>') + PARAGRAPHS,
    "ends behind others": b"<p>" + different(1000, b'<i a="%d"><b>x</i></b>') + PARAGRAPHS,
    "with links": b"<p>" + different(1000, b"<u style='a:url(%d)'>") + PARAGRAPHS,
    "utf-16": b"\xff\xfe" + (b"<p>" + different(1000) + PARAGRAPHS).decode().encode("utf-16-le"),
    "escapes": b"<meta charset=iso-2022-jp><p>" + different(1000, b"<\x1b(Bb a=%d>") + PARAGRAPHS,
    "few before many": b"<p>" + different(64) + b"<p>x" * 10_000,
    "alike": b"<p>" + b"".join(b"<%s>" % name * 3 for name in NAMES) + b"<p>x" * 40_000,
}


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize("parser", list(Parser))
def test_unclosed_formatting_does_not_fill_the_memory(parser: Parser, tmp_path: Path) -> None:
    for name, body in BOMBS.items():
        (tmp_path / name).write_bytes(body)
    paths = [tmp_path / name for name in BOMBS]
    ended = subprocess.run(
        [sys.executable, "-c", MEASURE, parser, *paths],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    measured = [line.split("=") for line in ended.stdout.splitlines()]
    assert [name for name, _, _ in measured] == list(BOMBS), "none of them died"
    assert [name for name, words, _ in measured if int(words) < 1000] == []
    assert [(name, peak_mb) for name, _, peak_mb in measured if int(peak_mb) >= MAX_MB] == []


@pytest.mark.parametrize(
    "markup",
    [
        b"<p>" + different(60) + b"<p>x" * 300,
        b"<p>" + b"".join(b"<%s>" % name for name in NAMES) * 100 + PARAGRAPHS,
        b"<p><b>x</b><i class=y>z</i><span a=1>" * 100,
        b"<p>" + different(1000, b'<code\nclass="a" id="%d"><span class="b">x</span>y</code>'),
        b"<p>" + different(1000, b'<em class="a%d"><code>x</code> or <code>y</code></em>'),
        b"<img src=a><br /><small><section id=b><table a=1><title b>" * 1000,
    ],
)
def test_formatting_that_does_no_harm_stays(markup: bytes) -> None:
    assert without_repetition(Markup(markup)) == markup


@pytest.mark.parametrize("name", NAMES)
def test_spans_take_the_place_of_the_rest(name: bytes) -> None:
    opened = b"<p><%s a=1>x</%s><%s\n>" % (name, name, name.upper())
    other = b"<%sx a=1><!--%s-->" % (name, name)
    replaced = without_repetition(Markup((opened + other) * 1000))
    assert replaced == (b"<p><span a=1>x</span><span\n>" + other) * 1000


@pytest.mark.parametrize("parser", list(Parser))
def test_links_and_texts_are_found_as_ever(parser: Parser) -> None:
    part = (
        b"<p><i class=%d></i> <b style='a:url(/b)'>bold</b>ly <a href=/%d><code x>text</code>s</a>"
    )
    few, many = (
        extract(
            b"<h1><em a>T</em>!</h1>" + different(1) + part * count % ((1, 2) * count),
            URL,
            None,
            parser,
        )
        for count in (10, 1000)
    )
    assert many.facts.word_count is not None
    assert few.facts.word_count is not None
    assert many.facts.word_count - 1 == (few.facts.word_count - 1) * 100
    assert many.facts.h1 == few.facts.h1 == "T!"
    assert many.targets == few.targets
    assert [link.text for link in many.links] == [link.text for link in few.links] * 100


SPANS = b"<span>" * 900 + different(900) + b"</span>x" * 900 + b"</b>" * 900


@each_case(
    "markup",
    [
        *BOMBS.values(),
        SPANS,
        b"<p>" + different(1000, b"<b a=%d><table></b></table>") + PARAGRAPHS,
        b"<p>" + different(1000, b"<b a=%d>" + b"<div>" * 9 + b"</b>" + b"</div>" * 9) + PARAGRAPHS,
        b"<p>" + different(1000, b"<b a=%d><select></b></select>") + PARAGRAPHS,
        b"<p>" + different(1000, b"<b a=%d><!-- </b> -->") + PARAGRAPHS,
        b"<p>" + different(1000, b"<b a=%d><span a='</b>'>") + PARAGRAPHS,
        b"<p>" + different(1000, b"<b a=%d><textarea></b></textarea>") + PARAGRAPHS,
    ],
)
def test_a_custom_pattern_sees_no_endless_repetition(markup: bytes) -> None:
    page = PageMarkup(markup, None, Parser.SELECTOLAX)
    assert len(page.select("*")) < MAX_REPEATED


PARTS = (
    *(b"<b>", b"<b a=1>", b'<i b="2">', b"<code c>", b"<nobr>", b'<b a="', b"<i/a>"),
    *(b"</b>", b"</i>", b"</code>", b"</nobr>", b"</b a>", b"x", b'"', b"'", b">"),
    *(b"<a href=x>", b"</a>", b"<span>", b"</span>", b"<p>", b"</p>", b"<div>", b"</div>"),
    *(b"<table>", b"<td>", b"</td>", b"</table>", b"<object>", b"</object>", b"<button>"),
    *(b"<select>", b"<option>", b"</select>", b"<template>", b"</template>", b"</button>"),
    *(b"<svg>", b"<desc>", b"</svg>", b"<!--", b"-->", b"<script>", b"</script>"),
    *(b"<textarea>", b"</textarea>"),
)


def test_repetition_is_never_underestimated() -> None:
    chance = random.Random(7)
    repeated = 0
    for _ in range(5_000):
        markup = b"".join(chance.choices(PARTS, k=chance.randint(3, 60)))
        found = len(LexborHTMLParser(markup).css("b, i, code, nobr"))
        written = sum(
            markup.count(b"<" + each) for each in (b"b>", b"b ", b"i ", b"i/", b"code ", b"nobr>")
        )
        if found > written:
            repeated += 1
            assert not repeats_at_most(markup, found - written - 1), markup
    assert repeated > 100
