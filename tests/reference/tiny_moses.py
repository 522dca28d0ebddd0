"""A complete Moses model of a few words, as text files."""

PHRASES = """\
das haus ||| the house ||| 0.5 0.4 0.3 0.2 ||| 0-0 1-1 ||| 10 5 5
das haus ||| that house ||| 0.4 0.4 0.2 0.2 ||| 0-0 1-1 ||| 5 5 2
haus ||| house ||| 0.5 0.4 0.3 0.2 ||| 0-0 ||| 10 5 5
ist ||| is ||| 0.9 0.8 0.7 0.6 ||| 0-0 ||| 10 9 8
ist klein ||| is small ||| 0.01 0.01 0.01 0.01 ||| 0-0 1-1 ||| 9 9 1
klein ||| small ||| 0.5 0.5 0.5 0.5 ||| 0-0 ||| 4 4 2
klein ||| little ||| 0.5 0.5 0.4 0.5 ||| 0-0 ||| 4 4 2
"""
REORDERING = "".join(
    " ||| ".join(line.split(" ||| ")[:2]) + " ||| 0.6 0.1 0.3 0.5 0.2 0.3\n"
    for line in PHRASES.splitlines()
)
ARPA = """\
\\data\\
ngram 1=9
ngram 2=3

\\1-grams:
-2	<unk>
0	<s>	-0.3
-1	</s>
-1	the	-0.2
-1	house	-0.1
-1.2	that
-0.8	is	-0.2
-1.1	small
-1.3	little

\\2-grams:
-0.2	the house
-0.3	is small
-0.4	house is

\\end\\
"""
INI = """\
# a comment
[input-factors]
0
[mapping]
0 T 0
[distortion-limit]
4
[feature]
UnknownWordPenalty
WordPenalty
PhrasePenalty
PhraseDictionaryMemory name=TranslationModel0 num-features=4 path=phrases
LexicalReordering name=LexicalReordering0 num-features=6 type=wbe-msd-bidirectional-fe path=reorder
Distortion
KENLM name=LM0 factor=0 path=lm.arpa order=2
[weight]
UnknownWordPenalty0= 1
WordPenalty0= -1
PhrasePenalty0= 0.2
TranslationModel0= 0.2 0.1 0.2 0.1
LexicalReordering0= 0.3 0.3 0.3 0.3 0.3 0.3
Distortion0= 0.3
LM0= 0.5
"""


def write_moses_model(folder, ini=INI):
    """``moses.ini`` and its files in `folder`."""
    (folder / "phrases").write_text(PHRASES)
    (folder / "reorder").write_text(REORDERING)
    (folder / "lm.arpa").write_text(ARPA)
    (folder / "moses.ini").write_text(ini)
    return folder / "moses.ini"
