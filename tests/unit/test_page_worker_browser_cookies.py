"""Which cookies the browser has when it shows a page."""

import pytest

from gossamer.model.cookie import Cookie
from gossamer.model.messages.worker_messages import Fetch
from gossamer.model.secrets import LoginCookie
from gossamer.page_worker.browser_cookies import browser_cookies

SITE = "https://example.com"
LOGIN = LoginCookie("csrf", "of-login", "/shop", is_http_only=False)


@pytest.mark.parametrize(
    ("page", "set_at", "values"),
    [
        ("/", "/shop", ["of-site"]),
        ("/shop/a", "/shop", ["of-site"]),
        ("/shop/a", "/", ["of-site"]),
        ("/", "/other", ["of-site", "of-login"]),
    ],
)
def test_a_cookie_that_the_site_set_takes_the_place_of_that_of_the_login(
    page: str, set_at: str, values: list[str]
) -> None:
    job = Fetch(
        1, SITE + page, site_cookies=[Cookie("csrf", "of-site", "example.com", path=set_at)]
    )
    assert [each.value for each in browser_cookies(job, [LOGIN], ())] == values
