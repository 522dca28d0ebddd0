"""Languages by their codes, whatever people call them."""

from tunesmith.base.errors import OptionError

# The code of ISO 639-1, then English names and the codes of ISO 639-2 and 639-3; a language without
# a code of two letters has three.
_NAMES = """
af afrikaans afr; am amharic amh; ar arabic ara; as assamese asm; az azerbaijani aze; be
belarusian bel; bg bulgarian bul; bn bengali ben; bo tibetan bod; br breton bre; bs bosnian bos;
ca catalan cat; cs czech ces cze; cy welsh cym; da danish dan; de german deutsch deu ger; el greek
ell gre; en english eng; eo esperanto epo; es spanish castilian spa; et estonian est; eu basque
eus; fa persian farsi fas per; fi finnish fin; fr french fra fre; fy frisian fry; ga irish gle; gd
gaelic gla; gl galician glg; gu gujarati guj; ha hausa hau; he hebrew heb; hi hindi hin; hr
croatian hrv; ht haitian hat; hu hungarian hun; hy armenian hye arm; id indonesian ind; ig igbo
ibo; is icelandic isl ice; it italian ita; ja japanese jpn; jv javanese jav; ka georgian kat geo;
kk kazakh kaz; km khmer cambodian khm; kn kannada kan; ko korean kor; ku kurdish kur; ky kyrgyz
kir; la latin lat; lb luxembourgish ltz; lo lao lao; lt lithuanian lit; lv latvian lav; mg
malagasy mlg; mi maori mri; mk macedonian mkd mac; ml malayalam mal; mn mongolian mon; mr marathi
mar; ms malay msa may; mt maltese mlt; my burmese mya bur; nb bokmal nob; ne nepali nep; nl dutch
flemish nld dut; nn nynorsk nno; no norwegian nor; ny chichewa nya; oc occitan oci; or odia oriya
ori; pa punjabi pan; pl polish pol; ps pashto pus; pt portuguese por; qu quechua que; rm romansh
roh; ro romanian ron rum; ru russian rus; rw kinyarwanda kin; sa sanskrit san; sd sindhi snd; se
sami sme; si sinhala sin; sk slovak slk slo; sl slovenian slovene slv; sm samoan smo; sn shona
sna; so somali som; sq albanian sqi alb; sr serbian srp; st sotho sot; su sundanese sun; sv
swedish swe; sw swahili swa; ta tamil tam; te telugu tel; tg tajik tgk; th thai tha; ti tigrinya
tir; tk turkmen tuk; tl tagalog filipino tgl fil; tn tswana tsn; tr turkish tur; tt tatar tat; ug
uyghur uig; uk ukrainian ukr; ur urdu urd; uz uzbek uzb; vi vietnamese vie; wo wolof wol; xh xhosa
xho; yi yiddish yid; yo yoruba yor; yue cantonese; zh chinese mandarin zho chi cmn; zu zulu zul
"""
_CODES = {
    name: names[0]
    for names in (entry.split() for entry in _NAMES.split(";"))
    for name in names
}  # fmt: skip
_ENGLISH = {names[0]: names[1] for names in (entry.split() for entry in _NAMES.split(";"))}
#: All codes that are known.
LANGUAGES = tuple(sorted(set(_CODES.values())))


def language_code(text: str) -> str:
    """The code of a language that is given by a code, a name or a locale.

    >>> language_code("German"), language_code("de-DE"), language_code("zh_Hant_TW")
    ('de', 'de', 'zh')
    >>> language_code("klingonese")
    Traceback (most recent call last):
    tunesmith.base.errors.OptionError: language 'klingonese', expected a code or a name like de, \
de-DE or german; codes: af, am, ar, as, az, be, bg, bn, bo, br, bs, ca, cs, cy, da, de, el, en, \
eo, es, et, eu, fa, fi, fr, fy, ga, gd, gl, gu, ha, he, hi, hr, ht, hu, hy, id, ig, is, it, ja, \
jv, ka, kk, km, kn, ko, ku, ky, la, lb, lo, lt, lv, mg, mi, mk, ml, mn, mr, ms, mt, my, nb, ne, \
nl, nn, no, ny, oc, or, pa, pl, ps, pt, qu, rm, ro, ru, rw, sa, sd, se, si, sk, sl, sm, sn, so, \
sq, sr, st, su, sv, sw, ta, te, tg, th, ti, tk, tl, tn, tr, tt, ug, uk, ur, uz, vi, wo, xh, yi, \
yo, yue, zh, zu
    """
    name = text.strip().lower().replace("_", "-")
    code = _CODES.get(name) or _CODES.get(name.partition("-")[0] if "-" in name else "")
    if code is None:
        raise OptionError(
            f"language '{text}', expected a code or a name like de, de-DE or german; "
            f"codes: {', '.join(LANGUAGES)}"
        )
    return code


def language_name(code: str) -> str:
    """The English name of a language; the code itself if it is none that is known.

    >>> language_name("de"), language_name("xx")
    ('German', 'xx')
    """
    return _ENGLISH[code].capitalize() if code in _ENGLISH else code
