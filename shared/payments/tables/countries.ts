import { countryCodes, findIso2ByCommonName, isCountryCode, nameCountry, toIso2 } from './country-codes';

/** One ISO 3166-1 country: its three codes and its short English name. */
export interface Country {
  readonly iso2: string;
  readonly iso3: string;
  /** Three digits. */
  readonly numeric: string;
  readonly name: string;
}

/** The number of each country, in the order of the two-letter code. */
const numbers = `
020 784 004 028 660 008 051 024 010 032 016 040 036 533 248 031 070 052 050 056 854 100 048 108 204
652 060 096 068 535 076 044 064 074 072 112 084 124 166 180 140 178 756 384 184 152 120 156 170 188
192 132 531 162 196 203 276 262 208 212 214 012 218 233 818 732 232 724 231 246 242 238 583 234 250
266 826 308 268 254 831 288 292 304 270 324 312 226 300 239 320 316 624 328 344 334 340 191 332 348
360 372 376 833 356 086 368 364 352 380 832 388 400 392 404 417 116 296 174 659 408 410 414 136 398
418 422 662 438 144 430 426 440 442 428 434 504 492 498 499 663 450 584 807 466 104 496 446 580 474
478 500 470 480 462 454 484 458 508 516 540 562 574 566 558 528 578 524 520 570 554 512 591 604 258
598 608 586 616 666 612 630 275 620 585 600 634 638 642 688 643 646 682 090 690 729 752 702 654 705
744 703 694 674 686 706 740 728 678 222 534 760 748 796 148 260 768 764 762 772 626 795 788 776 792
780 798 158 834 804 800 581 840 858 860 336 670 862 092 850 704 548 876 882 887 175 710 894 716
`
  .trim()
  .split(/\s/);

/** Names of the standard that are not those which every platform knows: Chromium has another one of the Falkland Islands. */
const standardNames: Readonly<Record<string, string>> = {
  BN: 'Brunei Darussalam',
  BQ: 'Bonaire, Sint Eustatius and Saba',
  CD: 'Congo, Democratic Republic of the',
  CG: 'Congo',
  CV: 'Cabo Verde',
  FK: 'Falkland Islands',
  GS: 'South Georgia and the South Sandwich Islands',
  HM: 'Heard Island and McDonald Islands',
  KP: 'Korea, Democratic People’s Republic of',
  KR: 'Korea, Republic of',
  LA: 'Lao People’s Democratic Republic',
  MF: 'Saint Martin (French part)',
  MM: 'Myanmar',
  PN: 'Pitcairn',
  PS: 'Palestine',
  RU: 'Russian Federation',
  SH: 'Saint Helena, Ascension and Tristan da Cunha',
  ST: 'Sao Tome and Principe',
  SX: 'Sint Maarten (Dutch part)',
  SY: 'Syrian Arab Republic',
  UM: 'United States Minor Outlying Islands',
  US: 'United States of America',
  VA: 'Holy See',
  VC: 'Saint Vincent and the Grenadines',
  VG: 'Virgin Islands (British)',
  VI: 'Virgin Islands (U.S.)',
  VN: 'Viet Nam',
};

/** Every country of ISO 3166-1. @source ISO 3166-1 (249 officially assigned codes) */
export const countries: readonly Country[] = countryCodes.map(({ iso2, iso3 }, index) => ({
  iso2,
  iso3,
  numeric: numbers[index]!,
  // Asked for when it is read: to find the platform's names takes longer than all of the list.
  get name() {
    return standardNames[iso2] ?? nameCountry(iso2);
  },
}));

const byCode: ReadonlyMap<string, Country> = new Map(countries.map((country) => [country.iso2, country]));

/** Finds a country by its ISO-2 or ISO-3 code, upper case as the standard writes it. */
export function findCountry(code: string): Country | undefined {
  return isCountryCode(code) ? byCode.get(toIso2(code)!) : undefined;
}

/** Gives the ISO-2 form of a country by its name, that of the standard or the common one, in any case; null when none is called so. */
export function findIso2ByName(name: string): string | null {
  const wanted = name.trim().toLowerCase();
  const found = Object.entries(standardNames).find(([, standard]) => standard.toLowerCase() === wanted);
  return found?.[0] ?? findIso2ByCommonName(name);
}
