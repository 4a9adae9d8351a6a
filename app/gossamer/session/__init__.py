"""The session API that window and command line use; starts and monitors crawl hosts."""
