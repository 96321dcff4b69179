"""Other systems' permission lists into this format: each entry carried over, or noted as changed or dropped."""
