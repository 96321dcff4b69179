"""Rules: what each form of the policy language means, and which of them hold for a call."""
