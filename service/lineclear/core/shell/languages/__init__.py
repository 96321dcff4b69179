"""Small languages that readers take as an argument: each validator knows what it lets pass, and nothing else."""
