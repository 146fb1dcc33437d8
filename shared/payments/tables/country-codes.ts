/** Both codes of each country in one word, ISO-2 before ISO-3, in the order of the two-letter code. */
const words = `
ADAND AEARE AFAFG AGATG AIAIA ALALB AMARM AOAGO AQATA ARARG ASASM ATAUT AUAUS AWABW AXALA AZAZE
BABIH BBBRB BDBGD BEBEL BFBFA BGBGR BHBHR BIBDI BJBEN BLBLM BMBMU BNBRN BOBOL BQBES BRBRA BSBHS
BTBTN BVBVT BWBWA BYBLR BZBLZ CACAN CCCCK CDCOD CFCAF CGCOG CHCHE CICIV CKCOK CLCHL CMCMR CNCHN
COCOL CRCRI CUCUB CVCPV CWCUW CXCXR CYCYP CZCZE DEDEU DJDJI DKDNK DMDMA DODOM DZDZA ECECU EEEST
EGEGY EHESH ERERI ESESP ETETH FIFIN FJFJI FKFLK FMFSM FOFRO FRFRA GAGAB GBGBR GDGRD GEGEO GFGUF
GGGGY GHGHA GIGIB GLGRL GMGMB GNGIN GPGLP GQGNQ GRGRC GSSGS GTGTM GUGUM GWGNB GYGUY HKHKG HMHMD
HNHND HRHRV HTHTI HUHUN IDIDN IEIRL ILISR IMIMN ININD IOIOT IQIRQ IRIRN ISISL ITITA JEJEY JMJAM
JOJOR JPJPN KEKEN KGKGZ KHKHM KIKIR KMCOM KNKNA KPPRK KRKOR KWKWT KYCYM KZKAZ LALAO LBLBN LCLCA
LILIE LKLKA LRLBR LSLSO LTLTU LULUX LVLVA LYLBY MAMAR MCMCO MDMDA MEMNE MFMAF MGMDG MHMHL MKMKD
MLMLI MMMMR MNMNG MOMAC MPMNP MQMTQ MRMRT MSMSR MTMLT MUMUS MVMDV MWMWI MXMEX MYMYS MZMOZ NANAM
NCNCL NENER NFNFK NGNGA NINIC NLNLD NONOR NPNPL NRNRU NUNIU NZNZL OMOMN PAPAN PEPER PFPYF PGPNG
PHPHL PKPAK PLPOL PMSPM PNPCN PRPRI PSPSE PTPRT PWPLW PYPRY QAQAT REREU ROROU RSSRB RURUS RWRWA
SASAU SBSLB SCSYC SDSDN SESWE SGSGP SHSHN SISVN SJSJM SKSVK SLSLE SMSMR SNSEN SOSOM SRSUR SSSSD
STSTP SVSLV SXSXM SYSYR SZSWZ TCTCA TDTCD TFATF TGTGO THTHA TJTJK TKTKL TLTLS TMTKM TNTUN TOTON
TRTUR TTTTO TVTUV TWTWN TZTZA UAUKR UGUGA UMUMI USUSA UYURY UZUZB VAVAT VCVCT VEVEN VGVGB VIVIR
VNVNM VUVUT WFWLF WSWSM YEYEM YTMYT ZAZAF ZMZMB ZWZWE
`;

/** ISO-2 and ISO-3 codes of every country. @source ISO 3166-1 (249 officially assigned codes) */
export const countryCodes: readonly { readonly iso2: string; readonly iso3: string }[] = words
  .trim()
  .split(/\s/)
  .map((word) => ({ iso2: word.slice(0, 2), iso3: word.slice(2) }));

const iso2Of: ReadonlyMap<string, string> = new Map(
  countryCodes.flatMap(({ iso2, iso3 }) => [
    [iso2, iso2],
    [iso3, iso2],
  ]),
);

/** Tells whether this is an ISO-2 or ISO-3 code, upper case. */
export function isCountryCode(code: string): boolean {
  return iso2Of.has(code);
}

/** Gives the ISO-2 form of a code in either form and any case; null when there is no such country. */
export function toIso2(code: string): string | null {
  return iso2Of.get(code.trim().toUpperCase()) ?? null;
}

let platformNames: Intl.DisplayNames | null = null;
let iso2ByName: ReadonlyMap<string, string> | null = null;

/** Gives the common English name of a country, as the platform knows it, with its words written out. */
export function nameCountry(iso2: string): string {
  platformNames ??= new Intl.DisplayNames(['en'], { type: 'region' });
  return writeOut(platformNames.of(iso2)!);
}

/**
 * Gives the ISO-2 form of a country by what it is called in English ('Tanzania'), in any case; null when none is called so.
 *
 * Without the names that the standard alone has ('Congo, Democratic Republic of the').
 */
export function findIso2ByCommonName(name: string): string | null {
  iso2ByName ??= new Map(countryCodes.map(({ iso2 }) => [nameCountry(iso2).toLowerCase(), iso2]));
  return iso2ByName.get(writeOut(name).toLowerCase()) ?? null;
}

/** The same for the ways in which one name is written: 'St. Lucia', 'Saint Lucia'; 'Hong Kong SAR China', 'Hong Kong'. */
function writeOut(name: string): string {
  const spelled = name
    .trim()
    .replace(' & ', ' and ')
    .replace(/^st\. /i, 'Saint ');
  return spelled.replace(/ sar china/i, '');
}
