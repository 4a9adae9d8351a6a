"""Crawler trap detection: budgets for URLs that only lead to more of the same."""
