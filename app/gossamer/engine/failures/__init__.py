"""Failures: retried later, blamed on the network, or too many to go on."""
