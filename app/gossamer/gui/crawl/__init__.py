"""Controls the crawl that the window shows and prepares the settings of the next one."""
