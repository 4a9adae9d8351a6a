"""Decides what is fetched and when; every effect stands behind a port."""
