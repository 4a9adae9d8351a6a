"""What is wrong with a site or a crawl of it: rules, decided from what a project file holds."""
