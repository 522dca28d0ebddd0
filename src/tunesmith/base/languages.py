"""Languages by their codes: what people, programs and documents call them."""

import re

from tunesmith.base.errors import OptionError

#: The code of a language that is not known (ISO 639-2).
UNDETERMINED = "und"

# The code of ISO 639-1, then English names and the codes of ISO 639-2 and 639-3; a language without
# a code of two letters has three.
_NAMES = """
aa afar aar; ab abkhaz abkhazian abk; af afrikaans afr; ak akan aka; am amharic amh; an aragonese
arg; ar arabic ara arz ary apc arb acm acq aeb ajp ars; as assamese asm; av avar ava; ay aymara aym
ayr; az azerbaijani aze azj; ba bashkir bak; be belarusian bel; bg bulgarian bul; bi bislama bis; bm
bambara bam; bn bengali ben; bo tibetan bod; br breton bre; bs bosnian bos; ca catalan cat; ce
chechen che; ch chamorro cha; co corsican cos; cr cree cre; cs czech ces cze; cv chuvash chv; cy
welsh cym; da danish dan; de german deutsch deu ger; dv dhivehi div; dz dzongkha dzo; ee ewe; el
greek ell gre; en english eng; eo esperanto epo; es spanish castilian spa; et estonian est ekk; eu
basque eus; fa persian farsi fas per pes; ff fula fulah ful; fi finnish fin; fj fijian fij; fo
faroese fao; fr french fra fre; fy frisian fry; ga irish gle; gd gaelic gla; gl galician glg; gn
guarani grn gug; gu gujarati guj; gv manx glv; ha hausa hau; he hebrew heb; hi hindi hin; hr
croatian hrv; ht haitian hat; hu hungarian hun; hy armenian hye arm; ia interlingua ina; id
indonesian ind; ie interlingue occidental ile; ig igbo ibo; io ido; is icelandic isl ice; it italian
ita; iu inuktitut iku; ja japanese jpn; jv javanese jav; ka georgian kat geo; ki kikuyu kik; kk
kazakh kaz; kl greenlandic kal; km khmer cambodian khm; kn kannada kan; ko korean kor; ks kashmiri
kas; ku kurdish kur kmr; kv komi kom; kw cornish cor; ky kyrgyz kir; la latin lat; lb luxembourgish
ltz; lg luganda ganda lug; li limburgish lim; ln lingala lin; lo lao; lt lithuanian lit; lv latvian
lav lvs; mg malagasy mlg plt; mi maori mri; mk macedonian mkd mac; ml malayalam mal; mn mongolian
mon khk; mr marathi mar; ms malay msa may zsm; mt maltese mlt; my burmese mya bur; nb bokmal nob; ne
nepali nep npi; nl dutch flemish nld dut; nn nynorsk nno; no norwegian nor; nv navajo nav; ny
chichewa nya; oc occitan oci; om oromo orm gaz; or odia oriya ori ory; os ossetian oss; pa punjabi
pan; pl polish pol; ps pashto pus pbt; pt portuguese por; qu quechua que quy; rm romansh roh; rn
kirundi rundi; ro romanian ron rum; ru russian rus; rw kinyarwanda kin; sa sanskrit san; sc
sardinian srd; sd sindhi snd; se sami sme; sg sango sag; si sinhala sin; sk slovak slk slo; sl
slovenian slovene slv; sm samoan smo; sn shona sna; so somali som; sq albanian sqi alb als; sr
serbian srp; ss swati ssw; st sotho sot; su sundanese sun; sv swedish swe; sw swahili swa swh; ta
tamil tam; te telugu tel; tg tajik tgk; th thai tha; ti tigrinya tir; tk turkmen tuk; tl tagalog
filipino tgl fil; tn tswana tsn; to tongan ton; tr turkish tur; ts tsonga tso; tt tatar tat; tw twi;
ty tahitian tah; ug uyghur uig; uk ukrainian ukr; ur urdu urd; uz uzbek uzb uzn; ve venda ven; vi
vietnamese vie; vo volapuk vol; wa walloon wln; wo wolof wol; xh xhosa xho; yi yiddish yid ydd; yo
yoruba yor; za zhuang zha; zh chinese mandarin zho chi cmn wuu; zu zulu zul; ace acehnese; ast
asturian; ban balinese; bcl central-bikol; bho bhojpuri; brx bodo; ceb cebuano; chr cherokee; ckb
central-kurdish sorani; crh crimean-tatar; doi dogri; dsb lower-sorbian; ext extremaduran; frp
arpitan; fur friulian; gcf antillean-creole; gcr guianese-creole; gsw swiss-german alemannic; guw
gungbe; haw hawaiian; hmn hmong; hsb upper-sorbian; ilo ilocano; jam jamaican; kab kabyle; kea
kabuverdianu; kok konkani gom; lad ladino; lij ligurian; lmo lombard; ltg latgalian; mai maithili;
mni manipuri; nap neapolitan; nds low-german; nso northern-sotho; pap papiamento; pcm
nigerian-pidgin; pms piedmontese; sah yakut; sat santali; scn sicilian; sco scots; szl silesian; tet
tetum; tpi tok-pisin; tyv tuvan; udm udmurt; vec venetian; war waray; yue cantonese
"""
_ENTRIES = [entry.split() for entry in _NAMES.split(";")]
_CODES = {name: names[0] for names in _ENTRIES for name in names}
_ENGLISH = {names[0]: names[1] for names in _ENTRIES if len(names) > 1}
_ENGLISH |= {UNDETERMINED: "undetermined"}
# Behind the language of a locale: script, region, variant.
_SUBTAG = r"(?:[A-Z][a-z]{3}|[A-Z]{2}|[a-z]{2}|\d{3})"
_LOCALE = re.compile(rf"([A-Za-z]{{2,3}})(?:[-_]{_SUBTAG}){{0,2}}(?:@\w+)?")


def known_language(text: str) -> str | None:
    """Return the code of a language given by a code or an English name; None if there is none.

    >>> known_language("deu"), known_language("German"), known_language("germ")
    ('de', 'de', None)
    """
    return _CODES.get(re.sub(r"[ _]", "-", text.strip().lower()))


def known_locale(text: str) -> str | None:
    """Return the code of a language given by a code, a name, or with script, region or variant.

    >>> known_locale("zh_CN"), known_locale("sr@latin"), known_locale("zho_Hans"), known_locale("x")
    ('zh', 'sr', 'zh', None)
    """
    locale = _LOCALE.fullmatch(text)
    return known_language(text) or (known_language(locale[1]) if locale else None)


def language_code(text: str) -> str:
    """Return the code of a language that a user gives by a code, a name or a locale.

    >>> language_code("German"), language_code("de-DE"), language_code("zh_Hant_TW")
    ('de', 'de', 'zh')
    >>> language_code("klingonese")
    Traceback (most recent call last):
    tunesmith.base.errors.OptionError: language 'klingonese', expected a code or a name like de, \
de-DE or german, or und for an undetermined one
    """
    if text.strip().lower() == UNDETERMINED:
        return UNDETERMINED
    code = known_language(text) or known_language(re.split(r"[-_@.]", text.strip())[0])
    if code is None:
        raise OptionError(
            f"language '{text}', expected a code or a name like de, de-DE or german, or "
            f"{UNDETERMINED} for an undetermined one"
        )
    return code


def language_name(code: str) -> str:
    """Return the English name of a language, or the code itself if it is not known.

    >>> language_name("de"), language_name("nds"), language_name("xx")
    ('German', 'Low German', 'xx')
    """
    return _ENGLISH[code].replace("-", " ").title() if code in _ENGLISH else code


def primary_language(language: str) -> str:
    """Return the language of a code without script and region, by its shortest code.

    >>> primary_language("de-AT"), primary_language("DEU"), primary_language("x-klingon")
    ('de', 'de', 'x')
    """
    primary = re.split(r"[-_@]", language.strip().lower())[0]
    return known_language(primary) or primary


def language_matches(language: str, wanted: str) -> bool:
    """Return whether a language is the wanted one, or one of its regional variants.

    >>> language_matches("deu-AT", "de"), language_matches("de-AT", "de-DE")
    (True, False)
    """

    def normal(code: str) -> str:
        rest = re.split(r"[-_@]", code.strip().lower())[1:]
        return "-".join([primary_language(code), *rest])

    return f"{normal(language)}-".startswith(f"{normal(wanted)}-")
