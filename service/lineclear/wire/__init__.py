"""Requests and answers as JSON: the one translation that the API, hooks, cases, ``check`` and replay share."""
