"""Test data: tables, and projects of each version."""
