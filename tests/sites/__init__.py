"""Real loopback web sites for tests: scenarios in words, recorded down to the byte.

`Site` is the vocabulary (``site.page("/a", links=["/b"])``), `fixtures` the pytest plugin,
`nginx` serves installed documentation, `docs_truth` and `demo_truth` say what a crawl must find.
"""

from tests.sites.ledger import ConnectionRecord, Ledger, Request
from tests.sites.responses import Response, html_page
from tests.sites.site import Gate, Site

__all__ = ["ConnectionRecord", "Gate", "Ledger", "Request", "Response", "Site", "html_page"]
