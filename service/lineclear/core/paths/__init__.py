"""Paths: where a spelling leads, what patterns mean, and what must not be touched."""
