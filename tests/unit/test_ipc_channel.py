"""Frames come out of any cut of the stream as they went in, and nonsense is told."""

import struct
from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gossamer.ipc import channel as framing
from gossamer.ipc.channel import FrameError, FrameReader, frame
from gossamer.model.link_kinds import LinkKind
from gossamer.model.messages.crawl_messages import (
    BulkAction,
    BulkActionKind,
    HostCommand,
    Pause,
    Report,
    SetWorkers,
    Start,
    Trouble,
    UrlSelection,
)
from gossamer.model.messages.worker_messages import Fetched, Result
from gossamer.model.outcome import Outcome
from gossamer.model.translatable import Translatable
from gossamer.model.visit import Link, PageLinks, Visit
from tests.cases import each_case

commands = st.one_of(
    st.builds(Start, project=st.text(), workers=st.none() | st.integers(1, 10_000)),
    st.builds(Pause, now=st.booleans()),
    st.builds(
        BulkAction,
        kind=st.sampled_from(BulkActionKind),
        selection=st.builds(
            UrlSelection,
            ids=st.tuples(st.integers(-(2**63), 2**64 - 1)),
            below=st.none() | st.integers(-(2**63), 2**64 - 1),
        ),
    ),
    st.builds(SetWorkers, workers=st.integers(0, 10_000)),
)
batches = st.lists(st.lists(commands, max_size=5), max_size=5)


def reader() -> FrameReader[HostCommand]:
    return FrameReader(HostCommand)


def with_length(length: int, body: bytes = b"") -> bytes:
    return struct.pack(">I", length) + body


@given(batches=batches, cuts=st.lists(st.integers(0, 2**16)))
def test_any_cut_of_the_stream_gives_the_same_messages(
    batches: list[list[HostCommand]], cuts: list[int]
) -> None:
    stream = b"".join(frame(batch) for batch in batches)
    marks = sorted({0, len(stream), *(cut % (len(stream) + 1) for cut in cuts)})
    subject = reader()
    found = [
        message for start, end in pairwise(marks) for message in subject.feed(stream[start:end])
    ]
    assert found == [message for batch in batches for message in batch]
    assert subject.feed(b"") == []


@given(commands)
def test_a_frame_byte_by_byte_is_whole_with_its_last(message: HostCommand) -> None:
    subject = reader()
    *head, last = (bytes([byte]) for byte in frame([message]))
    assert [subject.feed(byte) for byte in head] == [[]] * len(head)
    assert subject.feed(last) == [message]


@given(st.binary(min_size=1, max_size=200))
def test_nonsense_in_a_frame_is_an_error_or_messages(body: bytes) -> None:
    try:
        found = reader().feed(with_length(len(body), body))
    except FrameError:
        return
    assert all(isinstance(message, HostCommand) for message in found)


@each_case(
    "body",
    [
        b"\xc1",
        b"",
        b"\x90\x90",
        frame([Trouble(Translatable("no command"), 1)])[4:],
        msgspec.msgpack.encode([{"type": "Fly"}]),
        msgspec.msgpack.encode([{"type": "SetWorkers", "workers": "ten"}]),
        msgspec.msgpack.encode({"type": "Resume"}),
    ],
    ids=["no msgpack", "empty", "two values", "other", "unknown", "wrong type", "no list"],
)
def test_what_is_no_frame_of_ours_is_an_error(body: bytes) -> None:
    with pytest.raises(FrameError):
        reader().feed(with_length(len(body), body))


def test_an_oversize_frame_is_refused_before_it_comes() -> None:
    assert reader().feed(with_length(framing.MAX_FRAME_BYTES)) == []
    with pytest.raises(FrameError, match=str(framing.MAX_FRAME_BYTES + 1)):
        reader().feed(with_length(framing.MAX_FRAME_BYTES + 1))
    with pytest.raises(FrameError):
        reader().feed(b"GET / HTTP/1.1\r\n\r\n")


def test_an_empty_frame_holds_nothing() -> None:
    assert reader().feed(frame([])) == []


def test_unions_with_other_tags_are_told_apart() -> None:
    subject: FrameReader[Report] = FrameReader(Report)
    trouble = Trouble(
        Translatable("{path}: {why}", {"path": "a", "why": Translatable("{n} left", {"n": 1})}), 4
    )
    assert subject.feed(frame([trouble])) == [trouble]
    with pytest.raises(FrameError):
        subject.feed(frame([Pause()]))


@pytest.mark.parametrize(
    ("column", "other", "why"),
    [([0, 0], [0], "differ in length"), (bytes([1, 5]), bytes([1, 99]), "unknown kinds")],
)
def test_links_that_cannot_be_are_nonsense(column: object, other: object, why: str) -> None:
    links = PageLinks.of([Link(0, LinkKind.ANCHOR, "a"), Link(0, LinkKind.IMAGE, "b")])
    fetched = Fetched(1, Visit(Outcome.PAGE, targets=["http://h/"], links=links))
    sent = frame([fetched])
    assert FrameReader[Result](Result).feed(sent) == [fetched]
    right, wrong = map(msgspec.msgpack.encode, (column, other))
    assert sent.count(right) == 1
    altered = sent[4:].replace(right, wrong)
    with pytest.raises(FrameError, match=why):
        FrameReader[Result](Result).feed(with_length(len(altered), altered))
