"""Writes small archives by hand, record by record, as odd as a test wants them."""

import gzip
import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

DATE = "2024-05-01T12:00:00Z"
SITE = "http://archived.test"


def http(body: bytes | str = b"", status: str = "200 OK", **headers: str) -> bytes:
    """An HTTP answer; header names with underscores in place of hyphens."""
    given = {"Content_Type": "text/html; charset=utf-8", **headers}
    lines = [f"HTTP/1.1 {status}", *(f"{k.replace('_', '-')}: {v}" for k, v in given.items())]
    whole = body.encode() if isinstance(body, str) else body
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + whole


def page(title: str, *links: str) -> str:
    """A page with a title and links."""
    anchors = "".join(f"<p><a href='{link}'>to {link}</a></p>" for link in links)
    return f"<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1>{anchors}</html>"


def record(
    url: str,
    content: bytes,
    kind: str = "response",
    content_type: str = "application/http; msgtype=response",
    **fields: str,
) -> bytes:
    """A WARC record."""
    named: Mapping[str, str] = {
        "WARC-Type": kind,
        "WARC-Target-URI": url,
        "WARC-Date": DATE,
        "Content-Type": content_type,
        "Content-Length": str(len(content)),
        **{f"WARC-{name.replace('_', '-')}": value for name, value in fields.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return b"WARC/1.1\r\n" + head.encode() + b"\r\n" + content + b"\r\n\r\n"


def gzipped(records: Iterable[bytes]) -> bytes:
    """The records, a gzip member each."""
    return b"".join(gzip.compress(each) for each in records)


def write_warc(path: Path, records: Iterable[bytes]) -> Path:
    """An archive, compressed if its name says so."""
    path.write_bytes(gzipped(records) if path.suffix == ".gz" else b"".join(records))
    return path


def write_wacz(path: Path, warc: bytes, seeds: Iterable[str] = ()) -> Path:
    """A WACZ file with one WARC file and a page list."""
    lines = [json.dumps({"format": "json-pages-1.0", "id": "pages", "title": "All"})]
    lines += [json.dumps({"url": url, "seed": True}) for url in seeds]
    with zipfile.ZipFile(path, "w") as package:
        package.writestr("pages/pages.jsonl", "\n".join(lines))
        package.writestr("archive/data.warc.gz", warc)
    return path
