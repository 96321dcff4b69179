"""``python -m lineclear`` is ``lineclear``."""

from lineclear.cli import main

if __name__ == "__main__":
    main()
