"""Metrics and logs: closed label sets, no secrets, no arguments."""
