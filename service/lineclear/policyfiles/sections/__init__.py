"""The sections of a policy file beside its rules, a module each."""
