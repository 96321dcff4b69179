"""The composition root: settings become adapters, an engine and an application; nothing happens at import."""
