"""Files changed at random: bytes, lines, words, keys and values. Whatever they hold, carom answers or says one line.

Each module has a kind of file: ``mutate_…(seed)`` returns its content, ``answer_…(content, folder)`` hands it to carom
and returns a word for what came of it, or raises `Unanswered`. ``python -m tests.mutations KIND --count N`` runs many.
"""
