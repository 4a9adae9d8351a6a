"""Notifies people of the results of crawls: rules, conditions, digests, and their delivery."""
