"""A LanguageTool server on loopback that knows two rules, and keeps what it is sent.

It speaks the protocol of https://languagetool.org/http-api/, as far as we use it, and says errors
as LanguageTool's own server does: as plain text, with the status that its source has for each.
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
    """Answers `/v2/check`, for texts of so many characters at most. Use with `with`."""

    def __init__(self, most_characters: int = 20_000) -> None:
        self.forms: list[dict[str, str]] = []
        forms = self.forms

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                data = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(data).items()}
                forms.append(form)
                status, said = _refusal(self.path, form, most_characters)
                body = json.dumps(_answer(form)).encode() if status == 200 else said.encode()
                self.send_response(status)
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


def _refusal(path: str, form: dict[str, str], most: int) -> tuple[int, str]:
    """The status, and what is wrong if anything."""
    length = _units(form["text"])
    if path != "/v2/check":
        return 400, "Error: You have '/v2/' in your path, but not at the root."
    if form["language"] == "tlh":
        return 400, "Error: 'tlh' is not a language code known to LanguageTool. Supported: en, de"
    if length > most:
        return 413, (
            f"Error: Your text exceeds the limit of {most} characters (it's {length} characters)."
            " Please submit a shorter text."
        )
    return 200, ""


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
