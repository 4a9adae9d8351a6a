"""A LanguageTool server on loopback that knows two rules, and keeps what it is sent.

It speaks the protocol of https://languagetool.org/http-api/, as far as we use it.
"""

import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs

_RULES = (
    ("EN_A_VS_AN", "grammar", "Use 'a' before a consonant.", r"\ban(?= [b-df-hj-np-tv-z])", "a"),
    ("WORD_REPEAT", "duplication", "A word stands twice.", r"\b(the|a) \1\b", "the"),
    ("MORFOLOGIK_RULE", "misspelling", "A spelling mistake.", r"\bteh\b", "the"),
)


class LanguageToolServer:
    """Answers `/v2/check`. Use with `with`."""

    def __init__(self) -> None:
        self.forms: list[dict[str, str]] = []
        forms = self.forms

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(data).items()}
                forms.append(form)
                known = self.path == "/v2/check" and form["language"] != "tlh"
                body = json.dumps(_answer(form) if known else {}).encode()
                self.send_response(200 if known else 400)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _answer(form: dict[str, str]) -> dict[str, Any]:
    text = form["text"]
    matches = [
        {
            "message": message,
            "shortMessage": "",
            "replacements": [{"value": better}],
            "offset": _units(text[: match.start()]),
            "length": _units(match[0]),
            "context": {"text": text, "offset": 0, "length": 1},
            "rule": {"id": rule, "issueType": kind, "category": {"id": "MISC"}},
        }
        for rule, kind, message, pattern, better in _RULES
        for match in re.finditer(pattern, text)
    ]
    code = "en-US" if form["language"] in {"auto", "en"} else form["language"]
    return {"software": {}, "language": {"code": code, "name": ""}, "matches": matches}


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
