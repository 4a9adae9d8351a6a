"""The audit rules, a module for each group."""
