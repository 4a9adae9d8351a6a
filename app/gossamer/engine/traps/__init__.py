"""Crawler traps: budgets for URLs that only lead to more of the same."""
