"""A decision told in full: what each check found, what the analysis saw, and why rules did or didn't match."""
