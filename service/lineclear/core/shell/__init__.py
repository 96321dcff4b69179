"""Shell analysis: grammar, parts, words, effects. It runs nothing and names no program; programs are data."""
