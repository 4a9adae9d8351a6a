"""Reads the head of a stored response as a crawl reads one that arrives."""

from collections.abc import Iterable

from aiohttp.http import HttpVersion, RawResponseMessage
from multidict import CIMultiDict, CIMultiDictProxy

from gossamer.fetch.response_head import ResponseHead, head_of


def stored_head(
    version: tuple[int, int], status: int, reason: str, headers: Iterable[tuple[bytes, bytes]]
) -> ResponseHead:
    """The head of a response with these headers, in their original order and spelling."""
    raw = tuple(headers)
    texts = CIMultiDict(
        (name.decode("utf-8", "surrogateescape"), value.decode("utf-8", "surrogateescape"))
        for name, value in raw
    )
    return head_of(
        RawResponseMessage(
            HttpVersion(*version),
            status,
            reason,
            CIMultiDictProxy(texts),
            raw,
            should_close=False,
            compression=None,
            upgrade=False,
            chunked=False,
        )
    )
