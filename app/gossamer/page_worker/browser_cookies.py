"""The cookies that the browser has when it shows a page of the crawl."""

from collections.abc import Iterable

from gossamer.model.cookie import is_path_below
from gossamer.model.messages.worker_messages import Fetch
from gossamer.model.secrets import LoginCookie, cookies_of
from gossamer.render.rendered_page import PageCookie
from gossamer.urls.url_parts import path_of


def browser_cookies(
    job: Fetch, login: Iterable[LoginCookie], public_headers: Iterable[tuple[str, str]]
) -> tuple[PageCookie, ...]:
    """Those that the page's site has set, those of a login that scripts may see, and public ones.

    What scripts may not see and the site has not set in the crawl is secret: the browser does not
    get it, our fetcher adds it to each request.
    """
    public = [
        PageCookie(name, value)
        for header, typed in public_headers
        if header.lower() == "cookie"
        for name, value in cookies_of(typed)
    ]
    site = [
        PageCookie(
            each.name,
            _as_scripts_see(each.value),
            each.path,
            "" if each.host_only else each.domain,
            each.is_http_only,
        )
        for each in job.site_cookies
    ]
    path = path_of(job.url)
    newer = {each.name for each in site if is_path_below(path, each.path)}
    replaced = {(each.name, each.path) for each in site}
    shown = [
        PageCookie(each.name, each.value, each.path)
        for each in login
        if not each.is_http_only
        and each.name not in newer
        and (each.name, each.path) not in replaced
    ]
    typed_names = {each.name for each in public}
    return (*(each for each in (*site, *shown) if each.name not in typed_names), *public)


def _as_scripts_see(value: str) -> str:
    """A value from a header, decoded as ISO-8859-1: most that are not ASCII are UTF-8."""
    try:
        return value.encode("latin-1").decode()
    except UnicodeDecodeError:
        return value
