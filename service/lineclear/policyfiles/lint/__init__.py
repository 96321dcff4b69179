"""The lint: what loads, and yet doesn't do what its author seems to mean. A finding changes no decision."""
