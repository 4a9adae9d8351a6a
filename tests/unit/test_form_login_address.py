"""The address of a login form is checked before a process is asked for it."""

import asyncio

import pytest

from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.form_login import FormLogin


@pytest.mark.parametrize("typed", ["", "ftp://site.test/", "http://[site.test/"])
def test_what_is_no_address_of_a_page_is_told_and_ends_no_process(typed: str) -> None:
    """Otherwise the window could not try again: each login has one process."""
    login = FormLogin(CrawlSettings(roots=("http://site.test/",)))
    with pytest.raises(UsageError, match="URL"):
        asyncio.run(login.find(typed))
