"""Notifies people of the results of crawls: rules, conditions, messages, and their delivery."""
