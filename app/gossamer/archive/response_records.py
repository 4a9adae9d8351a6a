"""Makes the records of one response from what went over the wire. Pure functions of values."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from gossamer.archive.warc_records import (
    DOM_ADDRESS,
    DOM_TYPE,
    ELAPSED_MS,
    FIELDS,
    HTTP_REQUEST,
    HTTP_RESPONSE,
    NOT_MODIFIED,
    SAME_PAYLOAD,
    TTFB_MS,
    Truncation,
    WarcRecord,
    WarcType,
    field_line,
    member_of,
    new_id,
    response_head,
    split_off_secrets,
    warc_date,
)
from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.response_body import BodyTruncation
from gossamer.model.archive_record import ReferredRecord
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import without_userinfo

_TRUNCATIONS: Final = {
    BodyTruncation.CAP: Truncation.LENGTH,
    BodyTruncation.LOSS: Truncation.DISCONNECT,
}


class StoredPayload(Struct, frozen=True, gc=False):
    """A record with a complete body: its location in the file, and what it is of."""

    offset: int
    url: str
    date: str
    id: str


class ResponseIdentity(Struct, frozen=True, gc=False):
    """Names a response in the records that belong to it: the id and date of its own record."""

    id: str
    date: str


class ResponseRecords(Struct, frozen=True):
    """The records of one response, as gzip members in file order; the response comes last.

    So the end of the last one is the end of all that belongs to it.
    """

    response: ResponseIdentity
    members: list[bytes]


def kept_body(response: HttpResponse, max_bytes: int) -> tuple[list[bytes], Truncation | None]:
    """The body as received, as far as it is kept, and why that is not all of it."""
    pieces = response.body.wire or []
    room = max_bytes
    kept: list[bytes] = []
    for piece in pieces:
        if len(piece) > room:
            return [*kept, piece[:room]], Truncation.LENGTH
        kept.append(piece)
        room -= len(piece)
    return kept, None if response.wire and response.wire.is_whole else _truncation(response)


def _truncation(response: HttpResponse) -> Truncation:
    if response.failure is not None:
        is_late = response.failure.outcome is Outcome.TIMEOUT
        return Truncation.TIME if is_late else Truncation.UNSPECIFIED
    if response.body.cut_by is BodyTruncation.FAILURE:
        return Truncation.TIME
    cut_by = response.body.cut_by
    return Truncation.LENGTH if cut_by is None else _TRUNCATIONS[cut_by]


def records_of(  # noqa: PLR0913 - everything a record says
    url: str,
    response: HttpResponse,
    visit: Visit,
    body: Sequence[bytes],
    digest: bytes,
    truncation: Truncation | None,
    *,
    repeats: StoredPayload | None = None,
    path: CrawlPath | None = None,
    keeps_secrets: bool = False,
) -> ResponseRecords:
    """The records of the response to the request for `url`.

    `body` is the result of `kept_body`, `digest` its SHA-256. The record `repeats` has the same.
    """
    wire = response.wire
    assert wire is not None  # noqa: S101 - somebody archives it
    message = wire.message
    assert message is not None  # noqa: S101 - there is a response
    request, had_secrets = (
        (wire.request, False)
        if keeps_secrets
        else split_off_secrets(wire.request, wire.secret_headers, has_body=not wire.is_body_secret)
    )
    head = response_head(
        message.version,
        message.code,
        message.reason or "",
        message.raw_headers,
        leaves_out_cookies=had_secrets,
    )
    response_id, date = new_id(), warc_date(response.fetched_at)
    about = field_line("WARC-Target-URI", url)
    address = field_line("WARC-IP-Address", wire.address) if wire.address else ""
    beside = f"{about}WARC-Concurrent-To: {response_id}\r\n"
    sent = WarcRecord(WarcType.REQUEST, new_id(), date, HTTP_REQUEST, beside + address, request)
    facts = WarcRecord(WarcType.METADATA, new_id(), date, FIELDS, beside, _facts(visit, path))
    fields = f"{about}{address}WARC-Concurrent-To: {sent.id}\r\n"
    if visit.not_modified:
        referred = response.conditions.referred
        fields += _repeating(NOT_MODIFIED, referred or StoredPayload(0, url, "", ""))
        payload = None if referred is None else referred.digest
        response_record = WarcRecord(
            WarcType.REVISIT, response_id, date, HTTP_RESPONSE, fields, head, payload=payload
        )
    elif repeats is not None:
        fields += _repeating(SAME_PAYLOAD, repeats)
        response_record = WarcRecord(
            WarcType.REVISIT, response_id, date, HTTP_RESPONSE, fields, head, payload=digest
        )
    else:
        if truncation is not None:
            fields += field_line("WARC-Truncated", truncation)
        is_coded = response.head is not None and bool(response.head.codings.strip(" ,"))
        response_record = WarcRecord(
            WarcType.RESPONSE,
            response_id,
            date,
            HTTP_RESPONSE,
            fields,
            head,
            body,
            digest,
            is_stored=is_coded and not _is_chunked_only(response),
        )
    return ResponseRecords(
        ResponseIdentity(response_id, date),
        [member_of(each) for each in (sent, facts, response_record)],
    )


def dom_member(
    url: str, dom: bytes, digest: bytes, response: ResponseIdentity, *, is_cut: bool
) -> bytes:
    """The gzip member of the DOM that scripts made of the page in a `response`.

    `digest` is the SHA-256 of `dom`.
    """
    fields = field_line("WARC-Target-URI", DOM_ADDRESS + url)
    fields += f"WARC-Concurrent-To: {response.id}\r\n"
    if is_cut:
        fields += field_line("WARC-Truncated", Truncation.LENGTH)
    return member_of(
        WarcRecord(
            WarcType.RESOURCE,
            new_id(),
            response.date,
            DOM_TYPE,
            fields,
            body=[dom],
            payload=digest,
        )
    )


def _repeating(profile: str, original: StoredPayload | ReferredRecord) -> str:
    """What a revisit says about the response with the body: as much as is known of it."""
    known = (
        ("WARC-Profile", profile),
        ("WARC-Refers-To", original.id),
        ("WARC-Refers-To-Target-URI", original.url),
        ("WARC-Refers-To-Date", original.date),
    )
    return "".join(field_line(name, value) for name, value in known if value)


def _is_chunked_only(response: HttpResponse) -> bool:
    """Whether its headers name a transfer coding alone."""
    return response.head is not None and response.head.codings.strip().lower() == "chunked"


def _facts(visit: Visit, path: CrawlPath | None) -> bytes:
    """What the crawl knows of the response, and how the URL was reached, as Heritrix writes it."""
    facts = "" if path is None else _way(path)
    facts += (
        f"outcome: {visit.outcome.name.lower()}\r\n"
        f"{ELAPSED_MS}: {visit.elapsed_ms}\r\n{TTFB_MS}: {visit.ttfb_ms}\r\n"
    )
    if visit.charset:
        facts += field_line("charsetForLinkExtraction", visit.charset)
    if visit.location:
        facts += field_line("redirectsTo", visit.location)
    return facts.encode("utf-8", "replace")


def _way(path: CrawlPath) -> str:
    if path.is_seed:
        return "seed: \r\n"
    via = without_userinfo(path.via)[0] if "@" in path.via else path.via
    way = field_line("via", via) if via else ""
    return f"{way}hopsFromSeed: {path.hops}\r\n" if path.hops else way
