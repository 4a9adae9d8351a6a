"""Test data of other projects, each in a folder with its origin and licence."""
