"""Reads the forms of a page as a browser would send them."""

import re
from typing import Final

from msgspec import Struct, structs
from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.extract.charset_detection import encoding_for, sniff
from gossamer.extract.html_page import utf_8_markup
from gossamer.model.html_forms import Enctype, FieldType, FormField, FormMethod, PageForm
from gossamer.model.text_cleaning import one_line
from gossamer.urls.url_parsing import is_http, join

_MAX_FORMS: Final = 50
_MAX_FIELDS: Final = 200
_MAX_FRAMES: Final = 20
_LABEL: Final = 80
_NOT_SENT: Final = frozenset({"reset", "button", "image", "file"})
_SUBMITS: Final = frozenset({"submit", "image"})
_CAPTCHAS: Final = ".g-recaptcha, .h-captcha, .cf-turnstile, .frc-captcha, [data-sitekey]"
_INVISIBLE: Final = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_CODE: Final = re.compile(
    r"(?<![a-z])(?:otp|totp|mfa|2fa|one.?time|passcode|security.?code|verification|auth.?code|code)"
    r"(?![a-z])",
    re.IGNORECASE,
)


class FormsOfPage(Struct, frozen=True):
    """The forms of a page, its frames, and other signs of how a login works there."""

    title: str = ""
    forms: tuple[PageForm, ...] = ()
    frames: tuple[str, ...] = ()
    """Serialised URLs."""
    has_token_element: bool = False
    """Whether a meta element has a token that scripts send."""
    has_captcha: bool = False


def forms_of(body: bytes, charset: str | None, url: str) -> FormsOfPage:
    """Read the page `url`; `charset` is that of Content-Type."""
    encoding = sniff(body, charset)[0]
    tree = LexborHTMLParser(utf_8_markup(body, charset))
    base = _base(tree, url)
    controls = _controls_by_form(tree)
    token = _token(tree)
    forms = []
    for number, node in enumerate(tree.css("form")[:_MAX_FORMS]):
        form = _form(node, base, url, encoding.name, controls.get(number, []))
        if form is not None:
            forms.append(_with_token(form, token))
    title = tree.css_first("title")
    frames = [join(base, _attribute(node, "src")) for node in tree.css("iframe[src], frame[src]")]
    return FormsOfPage(
        title="" if title is None else one_line(title.text(), _LABEL),
        forms=tuple(forms),
        frames=tuple(each for each in frames[:_MAX_FRAMES] if each and is_http(each)),
        has_token_element=tree.css_first('meta[name="csrf-token" i]') is not None,
        has_captcha=tree.css_first(_CAPTCHAS) is not None,
    )


def _attribute(node: LexborNode, name: str) -> str:
    return node.attributes.get(name) or ""


def _base(tree: LexborHTMLParser, url: str) -> str:
    node = tree.css_first("base[href]")
    return (node and join(url, _attribute(node, "href"))) or url


def _controls_by_form(tree: LexborHTMLParser) -> dict[int, list[LexborNode]]:
    """The controls by the number of their form: those in it, or that name it.

    A form that the parser has moved out of a table is empty: the controls after it are its own.
    """
    found: dict[int, list[LexborNode]] = {}
    numbers = {node.mem_id: number for number, node in enumerate(tree.css("form"))}
    by_id = {_attribute(node, "id"): numbers[node.mem_id] for node in tree.css("form[id]")}
    last_empty: int | None = None
    for node in tree.css("form, input, button, select, textarea"):
        if node.tag == "form":
            last_empty = numbers[node.mem_id] if next(node.iter(), None) is None else None
            continue
        owner = by_id.get(_attribute(node, "form")) if "form" in node.attributes else None
        if owner is None:
            owner = _form_around(node, numbers)
        if owner is None:
            owner = last_empty
        if owner is not None:
            found.setdefault(owner, []).append(node)
    return found


def _form_around(node: LexborNode, numbers: dict[int, int]) -> int | None:
    parent = node.parent
    while parent is not None:
        if parent.tag == "form":
            return numbers.get(parent.mem_id)
        parent = parent.parent
    return None


def _form(
    node: LexborNode, base: str, url: str, charset: str, controls: list[LexborNode]
) -> PageForm | None:
    action = _attribute(node, "action").strip()
    target = join(base, action) if action else url
    if target is None or not is_http(target):
        return None
    label = _attribute(node, "accept-charset").replace(",", " ").split()
    encoding = encoding_for(label[0] if label else charset) or encoding_for("utf-8")
    if encoding is None or not encoding.is_for_queries:
        encoding = encoding_for("utf-8")
    codec = "utf-8" if encoding is None else encoding.codec
    method = _attribute(node, "method").lower()
    enctype = _attribute(node, "enctype").lower()
    labels = _labels(node)
    fields = [
        field
        for control in controls[:_MAX_FIELDS]
        if (field := _field(control, labels)) is not None
    ]
    return PageForm(
        action=target.partition("#")[0],
        method=FormMethod.POST if method == "post" else FormMethod.GET,
        enctype=Enctype(enctype) if enctype in set(Enctype) else Enctype.URLENCODED,
        codec=codec,
        charset="utf-8" if encoding is None else encoding.name,
        fields=tuple(fields),
        is_search=_is_search(node, controls),
    )


def _is_search(node: LexborNode, controls: list[LexborNode]) -> bool:
    return _attribute(node, "role").lower() == "search" or any(
        _attribute(each, "type").lower() == "search" or _attribute(each, "name") in {"q", "s"}
        for each in controls
    )


def _labels(form: LexborNode) -> dict[str, str]:
    """The texts of labels by the ids of their fields."""
    around = form
    while around.parent is not None and around.parent.tag not in {"html", "-undef"}:
        around = around.parent
    return {
        _attribute(label, "for"): one_line(label.text(), _LABEL)
        for label in around.css("label[for]")
    }


def _field(node: LexborNode, labels: dict[str, str]) -> FormField | None:
    """None for a control that is not sent, whatever a user does."""
    name = _attribute(node, "name")
    kind = _attribute(node, "type").lower()
    if "disabled" in node.attributes:
        return None
    if kind in _SUBMITS or (node.tag == "button" and kind not in {"button", "reset"}):
        text = _attribute(node, "value") or one_line(node.text(), _LABEL)
        return FormField(name, FieldType.BUTTON, _attribute(node, "value"), text)
    if not name or kind in _NOT_SENT or node.tag == "button":
        return None
    label = _label(node, labels)
    match node.tag:
        case "select":
            return FormField(name, FieldType.SELECT, _selected(node), label)
        case "textarea":
            return FormField(name, FieldType.TEXT, node.text().removeprefix("\n"), label)
    return _input(node, name, kind, label)


def _input(node: LexborNode, name: str, kind: str, label: str) -> FormField:
    value = _attribute(node, "value")
    if kind == "hidden" or (kind != "password" and _is_out_of_sight(node)):
        return FormField(name, FieldType.HIDDEN, value)
    if kind in {"checkbox", "radio"}:
        value = value if "value" in node.attributes else "on"
        return FormField(name, FieldType.CHOICE, value, label, "checked" in node.attributes)
    is_password = kind == "password"
    says_code = "one-time-code" in _attribute(node, "autocomplete").lower()
    is_code = says_code or bool(not is_password and _CODE.search(name))
    shown = FieldType.PASSWORD if is_password else FieldType.TEXT
    return FormField(name, shown, value, label, is_code=is_code)


def _is_out_of_sight(node: LexborNode) -> bool:
    """Whether a field is invisible: a trap for robots, to be left as it is."""
    seen: LexborNode | None = node
    while seen is not None and seen.tag not in {"form", "body"}:
        if "hidden" in seen.attributes or _INVISIBLE.search(_attribute(seen, "style")):
            return True
        seen = seen.parent
    return False


def _label(node: LexborNode, labels: dict[str, str]) -> str:
    if (text := labels.get(_attribute(node, "id"))) and "id" in node.attributes:
        return text
    around = node.parent
    if around is not None and around.tag == "label" and (text := one_line(around.text(), _LABEL)):
        return text
    names = ("aria-label", "placeholder", "title")
    return next((one_line(text, _LABEL) for n in names if (text := _attribute(node, n))), "")


def _selected(select: LexborNode) -> str:
    chosen = select.css_first("option[selected]") or select.css_first("option")
    if chosen is None:
        return ""
    return _attribute(chosen, "value") if "value" in chosen.attributes else chosen.text().strip()


def _token(tree: LexborHTMLParser) -> tuple[str, str] | None:
    """The field that a page names in its meta elements for scripts to add to forms."""
    name, value = (
        _attribute(node, "content") if node is not None else ""
        for node in (
            tree.css_first('meta[name="csrf-param" i]'),
            tree.css_first('meta[name="csrf-token" i]'),
        )
    )
    return (name, value) if name and value else None


def _with_token(form: PageForm, token: tuple[str, str] | None) -> PageForm:
    """The form with the token, if it lacks the field."""
    if token is None or form.method is FormMethod.GET:
        return form
    if token[0] in {field.name for field in form.fields}:
        return form
    added = FormField(token[0], FieldType.HIDDEN, token[1])
    return structs.replace(form, fields=(*form.fields, added))
