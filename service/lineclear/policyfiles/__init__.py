"""The policy files: YAML to policy, layers, cases. What can't be understood is refused with its place."""
