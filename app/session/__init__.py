"""The API that the window and the command line drive; starts and watches the crawl host."""

from app.session.crawl_session import CrawlSession
from app.session.places import log_path, new_project_path

__all__ = ["CrawlSession", "log_path", "new_project_path"]
