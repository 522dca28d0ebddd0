"""A small n-best list with everything that verbs meet: blocks, ties, an empty hypothesis."""

NBEST = """\
0 ||| the cat sat on the mat ||| lm= -4 tm= -3 -1 len= 6 ||| -1
0 ||| a cat sat on a mat ||| lm= -3 tm= -2 -2 len= 6 ||| -2
0 ||| cat mat ||| lm= -1 tm= -5 -4 len= 2 ||| -3
1 ||| dog barks ||| lm= -2 tm= -4 -3 len= 2 ||| -1
1 ||| the dog barked at the cat ||| lm= -5 tm= -2 -1 len= 6 ||| -1
1 |||  ||| lm= 0 tm= 0 0 len= 0 ||| -1
2 ||| it rain evening ||| lm= -3 tm= -2 -2 len= 3 ||| -1
2 ||| it rains in the evening ||| lm= -4 tm= -2 -1 len= 5 ||| -1
3 ||| we saw a small house there ||| lm= -5 tm= -2 -1 len= 6 ||| -1
3 ||| we saw house small ||| lm= -4 tm= -1 -2 len= 4 ||| -1
"""
REFERENCES = [
    "the cat sat on the mat",
    "the dog barked at the cat",
    "it rains in the evening",
    "we saw a small house there",
]
OTHER_REFERENCES = [
    "the cat was sitting on the mat",
    "the dog barked at a cat",
    "it rains in the evenings",
    "there we saw a small house",
]
# All lines of the third sentence are bad.
WITH_BAD_LINES = "".join(
    line.replace("lm= -", "lm= x") if line.startswith("2") else line
    for line in NBEST.splitlines(keepends=True)
)


def write_lists(folder):
    """``list``, ``ref`` and ``ref2`` in `folder`."""
    (folder / "list").write_text(NBEST)
    (folder / "ref").write_text("".join(f"{line}\n" for line in REFERENCES))
    (folder / "ref2").write_text("".join(f"{line}\n" for line in OTHER_REFERENCES))
