"""The decision, pure: values in, values out. No I/O, no clock, no logging, no framework."""
