"""Who may crawl a site: known crawlers, the robots.txt tester, llms.txt."""
