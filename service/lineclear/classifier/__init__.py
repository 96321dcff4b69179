"""The two-stage classifier: prompts (pure), and the Messages API behind its own circuit."""
