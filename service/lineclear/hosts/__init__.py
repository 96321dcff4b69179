"""Agents' own programs: what each sends to a hook, and how it is answered. Pure; nothing else knows a host."""
