"""Lineclear: a decision service that software agents ask before each tool execution."""

__version__ = "0.1.0"
