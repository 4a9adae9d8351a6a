"""Decides by its response whether a request is repeated, in another way or authenticated."""

from gossamer.fetch.content_decoding import DecodingError
from gossamer.fetch.fetch_failures import failure_of
from gossamer.fetch.http_client import RequestSender
from gossamer.fetch.http_request import BuildRequest, HttpRequest, RequestBuilder
from gossamer.fetch.http_response import HttpResponse, ResponseReader
from gossamer.fetch.http_statuses import FIRST_ERROR, SAME_BY_GET, UNAUTHORIZED
from gossamer.fetch.response_head import BodyHandling, ResponseHead
from gossamer.fetch.wire_exchange import ArchivePolicy
from gossamer.model.outcome import Outcome
from gossamer.model.visit import FetchMode

_MAX_CHALLENGES = 3
"""Challenges responded to for one request: other requests may use up its nonce."""
_LOST_ON_HEAD = frozenset({Outcome.CONNECTION_LOST, Outcome.MALFORMED_RESPONSE})


async def read_authenticated(
    reader: ResponseReader,
    client: RequestSender,
    requests: RequestBuilder,
    request: HttpRequest,
    build: BuildRequest,
    mode: FetchMode | None,
) -> None:
    """Read the response to `request`; after a challenge that can be met, repeat the request.

    `build` makes the request that meets the challenge.
    """
    response = reader.response
    await reader.read(client, request, request.accepting(mode))
    for _ in range(_MAX_CHALLENGES):
        if not response.has_status(UNAUTHORIZED):
            break
        if not requests.is_challenged(request, response.header_values(b"www-authenticate")):
            return
        request = build(response.cookie_header)
        await reader.read_again(client, request, request.accepting(mode))
    if request.nonce and not response.has_status(UNAUTHORIZED):
        info = ", ".join(response.header_values(b"authentication-info"))
        requests.note_response(request, info)


def repeat_after_failure(
    request: HttpRequest, response: HttpResponse, problem: Exception, mode: FetchMode | None
) -> FetchMode:
    """How to repeat the request for an unreadable response; USUAL for not at all."""
    if request.is_head:
        is_lost = failure_of(problem).outcome in _LOST_ON_HEAD
        return FetchMode.BY_GET if is_lost else FetchMode.USUAL
    is_damaged = (
        isinstance(problem, DecodingError)
        and response.reading is not BodyHandling.ERROR_PAGE
        and mode is not FetchMode.UNCOMPRESSED
    )
    return FetchMode.UNCOMPRESSED if is_damaged else FetchMode.USUAL


def repeat_after_response(
    request: HttpRequest, response: HttpResponse, archive: ArchivePolicy | None = None
) -> FetchMode:
    """How to repeat the request although there is a response; USUAL for not at all.

    The `archive` may want more than its headers.
    """
    head = response.head
    if request.is_head and head is not None:
        is_doubtful = _deserves_second_opinion(head) or head.is_of_unknown_size
        is_doubtful |= response.reading is BodyHandling.STYLE_SHEET
        is_doubtful |= archive is not None and archive.wants_body(head)
        return FetchMode.BY_GET if is_doubtful else FetchMode.USUAL
    return FetchMode.USUAL


def _deserves_second_opinion(head: ResponseHead) -> bool:
    """Whether GET may do better than HEAD did; not if the server wants to be left alone."""
    is_error = head.status >= FIRST_ERROR and head.status not in SAME_BY_GET
    return is_error and not head.challenge and head.retry_after_s is None
