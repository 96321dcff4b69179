"""Setting a host up: what goes into which of its files, and how without touching anything else in them. Pure."""
