"""The forms of a page, as a browser would send them."""

from urllib.parse import parse_qsl

import pytest

from gossamer.extract.page_forms import FormsOfPage, forms_of
from gossamer.model.html_forms import Enctype, FieldType, FormMethod, PageForm, form_request

URL = "https://example.com/account/login?next=/a"


def read(html: str, charset: str | None = None) -> FormsOfPage:
    return forms_of(html.encode(charset or "utf-8"), charset, URL)


def form_of(html: str, charset: str | None = None) -> PageForm:
    [form] = read(html, charset).forms
    return form


def sent(html: str, **typed: str) -> list[tuple[str, str]]:
    return list(form_of(html).sent(typed))


def test_a_form_without_action_is_sent_to_its_page() -> None:
    assert form_of("<form method=post><input name=a></form>").action == URL


def test_an_action_is_resolved_by_the_base_of_the_page() -> None:
    html = "<base href=//sso.example.com/x/><form method=POST action=in#top><input name=a></form>"
    form = form_of(html)
    assert (form.action, form.method) == ("https://sso.example.com/x/in", FormMethod.POST)


@pytest.mark.parametrize("action", ["javascript:login()", "mailto:a@example.com"])
def test_a_form_for_scripts_or_mail_is_none(action: str) -> None:
    assert read(f'<form action="{action}"><input name=a></form>').forms == ()


def test_hidden_fields_are_sent_as_they_stand_and_typed_ones_as_typed() -> None:
    html = "<form><input type=hidden name=csrf value=t0k><input name=user><input name=x disabled>"
    assert sent(html, user="jo") == [("csrf", "t0k"), ("user", "jo")]


def test_of_several_buttons_the_first_is_pressed_unless_another_is_named() -> None:
    html = "<form><input name=a><button name=go value=1>In</button><input type=submit name=no>"
    form = form_of(html)
    assert form.sent({}) == (("a", ""), ("go", "1"))
    assert form.sent({}, "no") == (("a", ""), ("no", ""))


def test_buttons_that_submit_nothing_are_not_sent() -> None:
    html = "<form><input name=a><button type=button name=b></button><input type=reset name=c>"
    assert sent(html) == [("a", "")]


def test_check_boxes_are_sent_if_they_are_chosen() -> None:
    html = "<form><input type=checkbox name=on checked><input type=checkbox name=off value=1>"
    assert sent(html) == [("on", "on")]
    assert sent(html, on="", off="1") == [("off", "1")]


def test_lists_are_sent_with_what_is_selected_or_comes_first() -> None:
    html = (
        "<form><select name=a><option>x<option selected value=2>y</select>"
        "<select name=b><option value=1>p<option>q</select>"
    )
    assert sent(html) == [("a", "2"), ("b", "1")]


def test_fields_outside_of_a_form_may_belong_to_it() -> None:
    html = "<form id=f><input name=a></form><input form=f name=b><input name=c>"
    assert sent(html) == [("a", ""), ("b", "")]


def test_fields_of_a_form_that_is_torn_apart_by_a_table_belong_to_it() -> None:
    html = (
        "<table><form method=post action=/in><tr><td><input name=user></td>"
        "<td><input type=password name=pw></td></tr></form></table>"
    )
    assert [field.name for field in form_of(html).passwords] == ["pw"]


def test_labels_are_found_beside_and_around_fields() -> None:
    html = (
        "<form><label for=u>Your name</label><input id=u name=user><label>Word"
        "<input type=password name=pw></label><input name=mail placeholder=E-mail>"
    )
    assert [field.label for field in form_of(html).fields] == ["Your name", "Word", "E-mail"]


def test_a_field_for_a_code_is_recognised() -> None:
    html = "<form><input name=x autocomplete=one-time-code><input name=otp><input name=postcode>"
    assert [field.is_code for field in form_of(html).fields] == [True, True, False]


def test_a_form_is_sent_in_the_encoding_of_its_page() -> None:
    form = form_of("<form method=post><input name=user>", "iso-8859-1")
    assert form_request(form, (("user", "jö€"),)).body == b"user=j%F6%80"  # as browsers: cp1252
    assert form.charset == "windows-1252"


def test_what_the_encoding_lacks_is_a_character_reference() -> None:
    form = form_of("<form method=post accept-charset=koi8-r><input name=a>")
    assert form_request(form, (("a", "ü"),)).body == b"a=%26%23252%3B"


def test_the_field_for_the_encoding_names_it() -> None:
    html = "<form accept-charset=windows-1251><input type=hidden name=_charset_>"
    assert sent(html) == [("_charset_", "windows-1251")]


def test_a_form_by_get_replaces_the_query_of_its_address() -> None:
    request = form_request(form_of("<form><input name=a>"), (("a", "b c"),))
    assert (request.url, request.method) == ("https://example.com/account/login?a=b+c", "GET")
    assert request.body == b""


def test_a_multipart_form_has_a_part_for_each_field() -> None:
    form = form_of("<form method=post enctype=multipart/form-data><input name=a>")
    request = form_request(form, (("a", "x\ny"), ('b"', "----gossamer-form-boundary-7d1c0f")))
    boundary = request.content_type.partition("boundary=")[2]
    assert request.body.count(b"--" + boundary.encode() + b"\r\n") == 2
    assert b'name="a"\r\n\r\nx\r\ny\r\n' in request.body
    assert b'name="b%22"' in request.body


def test_a_plain_text_form_has_a_line_for_each_field() -> None:
    form = form_of("<form method=post enctype=text/plain><input name=a>")
    assert form.enctype is Enctype.PLAIN
    assert form_request(form, (("a", "1"),)).body == b"a=1\r\n"


def test_special_characters_survive_the_way_through_a_body() -> None:
    form = form_of("<form method=post><input name=a>")
    typed = (("a", "p&w=+%~*-._ \u4e2d"), ("b", ""))
    assert tuple(parse_qsl(form_request(form, typed).body.decode(), True)) == typed


def test_a_token_that_meta_elements_name_is_added_to_forms_by_post() -> None:
    meta = "<meta name=csrf-param content=tok><meta name=csrf-token content=abc>"
    [post, get] = read(f"{meta}<form method=post><input name=a></form><form><input name=b>").forms
    assert post.fields[-1].name == "tok"
    assert post.sent({})[-1] == ("tok", "abc")
    assert get.sent({}) == (("b", ""),)


def test_frames_and_captchas_are_noted() -> None:
    html = "<title>Log in</title><iframe src=/f></iframe><div class=g-recaptcha></div>"
    page = read(html)
    assert (page.title, page.frames, page.has_captcha) == (
        "Log in",
        ("https://example.com/f",),
        True,
    )


def test_no_value_of_a_request_shows_in_its_text() -> None:
    form = form_of("<form><input name=a>")
    assert "s3cret" not in repr(form_request(form, (("a", "s3cret"),)))


def test_a_page_without_forms_has_none() -> None:
    assert read("<p>x").forms == ()
    assert forms_of(b"", None, URL).forms == ()


def test_a_text_area_is_typed_into() -> None:
    [field] = form_of("<form><textarea name=a>\nx</textarea>").fields
    assert (field.type, field.value) == (FieldType.TEXT, "x")


def test_a_field_that_nobody_sees_is_left_as_it_is() -> None:
    html = (
        "<form><input name=user><input name=url style='Display: none'>"
        "<div hidden><input name=mail></div><input name=shown style='color: red'>"
    )
    form = form_of(html)
    assert [field.name for field in form.typed] == ["user", "shown"]
    assert ("url", "") in form.sent({})
