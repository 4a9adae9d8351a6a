"""The details panel of one URL: summary, links, redirect chain, headers, source."""
