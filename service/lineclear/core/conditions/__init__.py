"""Conditions of rules, in CEL: read and bounded at load, evaluated last of a rule's matchers."""
