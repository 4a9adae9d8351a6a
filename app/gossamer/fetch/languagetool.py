"""A client of LanguageTool servers, which check grammar: https://languagetool.org/http-api/."""

import asyncio
import logging
import re
from collections.abc import Callable
from time import monotonic
from types import TracebackType
from typing import Final, Self
from urllib.parse import urlsplit

import aiohttp
import msgspec
from msgspec import Struct

from gossamer.fetch.tls_contexts import trusted
from gossamer.model.page_prose import PageProse
from gossamer.model.text_cleaning import one_line
from gossamer.model.text_errors import (
    MAX_CONTEXT,
    MAX_ERROR,
    MAX_ERRORS,
    MAX_MESSAGE,
    MAX_SUGGESTIONS,
    ErrorKind,
    TextError,
)

MAX_CHARACTERS: Final = 20_000
"""A longer text is cut: public servers accept no more. Counted as Java counts."""
MAX_ANSWER_BYTES: Final = 4 * 1024 * 1024
PATIENCE_S: Final = 20.0
"""For one text; as long again for its turn."""
AT_ONCE: Final = 4
"""Texts that each page worker sends to the server at the same time."""
MAX_FAILURES: Final = 3
REST_S: Final = 60.0
"""How long to leave a server alone after MAX_FAILURES in a row."""
_PATH: Final = "/v2/check"
_PREFERRED: Final = "en-US,de-DE,pt-PT,ca-ES"
"""The regional variants for texts of which only the language is detected."""
_SPELLING: Final = "misspelling"
_SUCCESS, _BAD_REQUEST, _TOO_LARGE = 200, 400, 413
_REFUSALS: Final = frozenset({403, 429})
"""Of too many requests or too much text in a minute: the older status, and the newer one."""
_OF_THE_TEXT: Final = ("not a language code known", "too many errors")
"""What a working server says about a text that it cannot check."""
_LIMIT: Final = re.compile(r"limit of (\d{1,9}) characters")
_MOST_SAID: Final = 1_000
"""Bytes of an error that are looked at."""
_log = logging.getLogger(__name__)


class GrammarResult(Struct, frozen=True):
    """The server's result for a text: the detected language, and the errors."""

    language: str
    errors: list[TextError]


class _Language(Struct):
    code: str = ""


class _Category(Struct):
    id: str = ""


class _Rule(Struct):
    id: str = ""
    issue_type: str = msgspec.field(default="", name="issueType")
    category: _Category = msgspec.field(default_factory=_Category)


class _Replacement(Struct):
    value: str = ""


class _Match(Struct):
    offset: int
    length: int
    message: str = ""
    replacements: list[_Replacement] = []
    rule: _Rule = msgspec.field(default_factory=_Rule)


class _Answer(Struct):
    language: _Language = msgspec.field(default_factory=_Language)
    matches: list[_Match] = []


_decoder = msgspec.json.Decoder(_Answer)


class _TextTooLongError(Exception):
    """The server takes texts of `most` characters."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most


class _RefusedError(ValueError):
    """The server wants to be left alone for a while."""


class GrammarServer:
    """Checks texts with the server at `url`, and sends them nowhere else. Use with `async with`.

    Failures are logged once and leave some pages unchecked: after MAX_FAILURES in a row the server
    is left alone for a while.
    """

    def __init__(
        self, url: str, *, patience_s: float = PATIENCE_S, now: Callable[[], float] = monotonic
    ) -> None:
        """`url` is its address, with or without `/v2/check` at the end."""
        self._url = check_url(url)
        self._patience_s = patience_s
        self._now = now
        self._turns: asyncio.Semaphore
        self._session: aiohttp.ClientSession
        self._failures = 0
        self._rests_until = 0.0
        self._is_reported = False
        self._most_characters = MAX_CHARACTERS

    async def __aenter__(self) -> Self:
        self._turns = asyncio.Semaphore(AT_ONCE)
        tls = trusted() if self._url.startswith("https:") else False
        # No connection is kept: cancelling a crawl waits until all are closed.
        connector = aiohttp.TCPConnector(ssl=tls, force_close=True, limit=AT_ONCE)
        self._session = aiohttp.ClientSession(
            connector=connector, trust_env=False, cookie_jar=aiohttp.DummyCookieJar()
        )
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self._session.close()

    async def check(self, prose: PageProse) -> GrammarResult | None:
        """The errors in a text; None if it could not be checked, for whatever reason."""
        text = plain_text(prose, self._most_characters)
        if not text or self._now() < self._rests_until:
            return None
        try:
            async with asyncio.timeout(2 * self._patience_s), self._turns:
                if self._now() < self._rests_until:
                    return None
                async with asyncio.timeout(self._patience_s):
                    result = await self._ask_shorter(text, prose)
        except _RefusedError as e:
            self._failures = MAX_FAILURES
            self._note_failure(str(e))
            return None
        except (aiohttp.ClientError, TimeoutError, OSError, ValueError, RecursionError) as e:
            self._note_failure(one_line(str(e), MAX_MESSAGE) or type(e).__name__)
            return None
        self._failures = 0
        return result

    async def _ask_shorter(self, text: str, prose: PageProse) -> GrammarResult | None:
        """Check the text or, if it is too long, as much of it as the server accepts."""
        try:
            return await self._ask(text, prose.language)
        except _TextTooLongError as e:
            if not 0 < e.most < self._most_characters:
                return None
            self._most_characters = e.most
        try:
            return await self._ask(plain_text(prose, self._most_characters), prose.language)
        except _TextTooLongError:
            return None

    async def _ask(self, text: str, language: str) -> GrammarResult | None:
        """None if the server does not know the language. ValueError for an invalid reply."""
        form = {"text": text, "language": language.replace("_", "-") or "auto"}
        form["disabledCategories"] = "TYPOS"  # dictionaries check the spelling
        if not language:
            form["preferredVariants"] = _PREFERRED
        async with self._session.post(self._url, data=form, allow_redirects=False) as response:
            if response.status == _SUCCESS:
                return grammar_result(await _body(response), text)
            said = (await response.content.read(_MOST_SAID)).decode("utf-8", "replace")
        _raise_unless_of_text(response.status, said)
        return None

    def _note_failure(self, reason: str) -> None:
        self._failures += 1
        if self._failures >= MAX_FAILURES:
            self._rests_until = self._now() + REST_S
            self._failures = MAX_FAILURES - 1  # the next decides at once
        if not self._is_reported:
            self._is_reported = True
            _log.warning("the LanguageTool server failed", extra={"detail": reason})


def _raise_unless_of_text(status: int, said: str) -> None:
    """Raise the meaning of an error, unless the server merely cannot check this text.

    Errors are plain text: see `LanguageToolHttpHandler` in the source of LanguageTool's server.
    """
    if status == _TOO_LARGE:
        limit = _LIMIT.search(said)
        raise _TextTooLongError(int(limit[1]) if limit else 0)
    if status == _BAD_REQUEST and any(words in said for words in _OF_THE_TEXT):
        return
    problem = _RefusedError if status in _REFUSALS else ValueError
    raise problem(one_line(f"status {status}: {said}", MAX_MESSAGE))


async def _body(response: aiohttp.ClientResponse) -> bytes:
    data = bytearray()
    async for part in response.content.iter_any():
        data += part
        if len(data) > MAX_ANSWER_BYTES:
            raise ValueError("the response is too long")
    return bytes(data)


def check_url(url: str) -> str:
    """The URL to send texts to, for the address of a server as a user writes it."""
    parts = urlsplit(url.strip())
    path = parts.path.rstrip("/").removesuffix("/check").removesuffix("/v2")
    return parts._replace(path=path + _PATH, query="", fragment="").geturl()


def plain_text(prose: PageProse, most: int = MAX_CHARACTERS) -> str:
    """The text to send, of at most so many characters: blocks are paragraphs."""
    blocks = (" ".join(block.split()) for run in prose.runs for block in run.text.split("\0"))
    text = "\n\n".join(filter(None, blocks))[:most]
    if text.isascii() or len(text) * 2 <= most:
        return text
    return _cut(text.encode("utf-16-le", "replace"), 0, 2 * most)


def grammar_result(data: bytes, text: str) -> GrammarResult:
    """The result in a reply about `text`; ValueError if it is none, RecursionError if too deep."""
    reply = _decoder.decode(data)
    units = text.encode("utf-16-le")  # offsets count as Java counts
    found: dict[tuple[str, str], TextError] = {}
    for match in reply.matches:
        if match.rule.issue_type == _SPELLING or not 0 <= match.offset * 2 < len(units):
            continue
        error = _error(match, units)
        key = (error.rule, error.text)
        if key in found:
            found[key] = msgspec.structs.replace(found[key], count=found[key].count + 1)
        elif len(found) < MAX_ERRORS:
            found[key] = error
    return GrammarResult(one_line(reply.language.code, MAX_ERROR), list(found.values()))


def _error(match: _Match, units: bytes) -> TextError:
    start, end = 2 * match.offset, 2 * (match.offset + max(match.length, 0))
    wrong = _cut(units, start, min(end, start + 2 * MAX_ERROR))
    around = 2 * ((MAX_CONTEXT - min(len(wrong), MAX_CONTEXT)) // 2)
    before = _cut(units, max(0, start - around), start).rpartition("\n")[2]
    after = _cut(units, end, end + around).partition("\n")[0]
    return TextError(
        ErrorKind.GRAMMAR,
        one_line(wrong, MAX_ERROR),
        1,
        one_line(before + wrong + after, 2 * MAX_CONTEXT),
        one_line(match.rule.id, MAX_ERROR),
        one_line(match.message, MAX_MESSAGE),
        [one_line(each.value, MAX_ERROR) for each in match.replacements[:MAX_SUGGESTIONS]],
    )


def _cut(units: bytes, start: int, end: int) -> str:
    return units[start:end].decode("utf-16-le", "ignore")
