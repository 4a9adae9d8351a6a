"""The details of one URL: summary, links, redirect chain, headers, source."""
