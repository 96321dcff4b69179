"""The use case, and the ports it needs, each beside the idea that needs it."""
