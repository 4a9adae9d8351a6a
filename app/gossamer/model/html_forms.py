"""The forms of a page as values: their fields, and what a browser would send from them."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Final
from urllib.parse import quote_plus

from msgspec import Struct

Fields = tuple[tuple[str, str], ...]
"""Names and values, in the order of the form."""


class FieldType(StrEnum):
    """What a field is to the user who fills it in."""

    TEXT = "text"
    """Typed visibly: text, email, tel, number and the like."""
    PASSWORD = "password"  # noqa: S105 - a type of fields
    HIDDEN = "hidden"
    CHOICE = "choice"
    """A check box or a radio button."""
    SELECT = "select"
    BUTTON = "button"
    """One that submits the form."""


class FormField(Struct, frozen=True, array_like=True):
    """A field with a name. `value` is what it is sent with if nobody changes it."""

    name: str
    type: FieldType
    value: str = ""
    label: str = ""
    is_on: bool = True
    """For a check box or radio button: whether it is checked."""
    is_code: bool = False
    """Whether it is for a one-time code."""

    @property
    def is_typed(self) -> bool:
        """Whether a user fills it in with the keyboard."""
        return self.type in {FieldType.TEXT, FieldType.PASSWORD}


class FormMethod(StrEnum):
    """How a form is sent."""

    GET = "get"
    POST = "post"


class Enctype(StrEnum):
    """How the fields of a form are encoded in the body of a request (HTML Standard §4.10.21.6)."""

    URLENCODED = "application/x-www-form-urlencoded"
    MULTIPART = "multipart/form-data"
    PLAIN = "text/plain"


class PageForm(Struct, frozen=True, array_like=True):
    """A form of a page. `action` is a serialised URL, `codec` Python's for what it sends."""

    action: str
    method: FormMethod = FormMethod.GET
    enctype: Enctype = Enctype.URLENCODED
    codec: str = "utf-8"
    charset: str = "utf-8"
    fields: tuple[FormField, ...] = ()
    is_search: bool = False

    def __repr__(self) -> str:
        return f"PageForm({self.action!r}, {[field.name for field in self.fields]})"

    @property
    def typed(self) -> tuple[FormField, ...]:
        """The fields that a user fills in with the keyboard."""
        return tuple(field for field in self.fields if field.is_typed)

    @property
    def passwords(self) -> tuple[FormField, ...]:
        """Those for passwords."""
        return tuple(field for field in self.fields if field.type is FieldType.PASSWORD)

    @property
    def buttons(self) -> tuple[FormField, ...]:
        """Those that submit it."""
        return tuple(field for field in self.fields if field.type is FieldType.BUTTON)

    def sent(self, typed: Mapping[str, str], button: str = "") -> Fields:
        """What a browser sends when the fields have the values `typed`, by name.

        Of several buttons, the one called `button` counts as pressed, by default the first. A check
        box with the typed value "" is not sent.
        """
        return tuple(self._sent(typed, button))

    def _sent(self, typed: Mapping[str, str], button: str) -> Iterator[tuple[str, str]]:
        names = [field.name for field in self.buttons]
        pressed = button if button in names else next(iter(names), "")
        is_pressed = False
        for field in self.fields:
            value = typed.get(field.name)
            match field.type:
                case FieldType.BUTTON:
                    if field.name and field.name == pressed and not is_pressed:
                        is_pressed = True
                        yield field.name, field.value
                case FieldType.CHOICE:
                    is_on = field.is_on if value is None else value in {field.value, "on"}
                    if is_on:
                        yield field.name, field.value
                case FieldType.HIDDEN if field.name == "_charset_":
                    yield field.name, self.charset
                case _:
                    yield field.name, field.value if value is None else value


class FormRequest(Struct, frozen=True):
    """A form that is sent. Its body may be secret."""

    url: str
    method: str
    content_type: str = ""
    body: bytes = b""

    def __repr__(self) -> str:
        return f"FormRequest({self.method} {self.url.partition('?')[0]!r}, …)"


_BOUNDARY: Final = "----gossamer-form-boundary-7d1c0f"


def form_request(form: PageForm, fields: Fields) -> FormRequest:
    """The request that sends `fields`; characters missing in the encoding become references."""
    if form.method is FormMethod.GET:
        start = form.action.partition("#")[0].partition("?")[0]
        return FormRequest(f"{start}?{_urlencoded(form, fields)}", "GET")
    match form.enctype:
        case Enctype.MULTIPART:
            boundary = _unused_boundary(fields)
            content_type = f"{form.enctype}; boundary={boundary}"
            return FormRequest(
                form.action, "POST", content_type, _multipart(form, fields, boundary)
            )
        case Enctype.PLAIN:
            lines = "".join(f"{name}={value}\r\n" for name, value in fields)
            return FormRequest(form.action, "POST", form.enctype, _encoded(form, lines))
    return FormRequest(form.action, "POST", form.enctype, _urlencoded(form, fields).encode())


def _encoded(form: PageForm, text: str) -> bytes:
    return text.encode(form.codec, "xmlcharrefreplace")


def _urlencoded(form: PageForm, fields: Fields) -> str:
    return "&".join(f"{_quoted(form, name)}={_quoted(form, value)}" for name, value in fields)


def _quoted(form: PageForm, text: str) -> str:
    """By the URL Standard's set for forms."""
    return quote_plus(_encoded(form, _crlf(text)), safe="*-._").replace("~", "%7E")


def _multipart(form: PageForm, fields: Fields, boundary: str) -> bytes:
    parts = []
    for name, value in fields:
        quoted = _crlf(name).replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{quoted}"\r\n\r\n'
        parts.append(_encoded(form, head) + _encoded(form, _crlf(value)) + b"\r\n")
    return b"".join(parts) + f"--{boundary}--\r\n".encode("ascii")


def _unused_boundary(fields: Fields) -> str:
    boundary = _BOUNDARY
    while any(boundary in value for _, value in fields):
        boundary += "x"
    return boundary


def _crlf(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
