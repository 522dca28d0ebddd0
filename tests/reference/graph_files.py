"""A small file of every text format of graphs, as other systems write them."""

PLF = """((('einen',1.0,1),),(('wettbewerbsbedingten',0.5,2),('wettbewerbs',0.25,1),\
('wettbewerb',0.25,1),),(('bedingten',1.0,1),),(('preissturz',0.5,2),('preis',0.5,1),),\
(('sturz',1.0,1),),)
"""

MOSES = """\
0 hyp=0 stack=0 forward=36 fscore=-113.419
0 hyp=21 stack=1 back=0 score=-7.5 transition=-7.5 forward=983 fscore=-8.85446 covered=1-1 out=ein
0 hyp=33 stack=1 back=0 score=-11 transition=-11 recombined=21 forward=983 fscore=-8.85446 \
covered=1-1 out=noch ein
0 hyp=40 stack=3 back=21 score=-9 transition=-1.5 forward=-1 fscore=0 covered=0-0 out=Haus
0 hyp=41 stack=3 back=21 score=-9.5 transition=-2 forward=-1 fscore=0 covered=2-3 out=
"""

CDEC = """{"rules":[1,"[X] ||| ein ||| a",2,"[S] ||| [X,1] [X,2] ||| [2] und [1] ||| f=1"],\
"features":["p","q"],"edges":[{"tail":null,"feats":[0,1.5,"Extra",2],"rule":1}],\
"node":{"in_edges":[0],"cat":"X"},"edges":[{"tail":[],"spans":[1,2,-1,-1],"feats":null,\
"rule":"[X] ||| b"}],"node":{"in_edges":[1]},"is_sorted":true,\
"edges":[{"tail":[0,1],"feats":[1,-0.5],"rule":2}],"node":{"in_edges":[2],"cat":"S"}}
"""
