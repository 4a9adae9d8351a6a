"""Tells people what a crawl has found: rules, conditions, digests, and how they are delivered."""
