import { expect, it, vi } from 'vitest';
import { countries, findCountry, findIso2ByName } from './countries';
import { countryCodes, isCountryCode, toIso2 } from './country-codes';
import { currencies, isCurrencyCode } from './currencies';

it('has the 249 countries, each code once', () => {
  expect(countries).toHaveLength(249);
  expect(new Set(countries.flatMap((country) => [country.iso2, country.iso3])).size).toBe(498);
});

it('has the codes of both tables in one order', () => {
  expect(countries.map(({ iso2 }) => iso2)).toEqual(countryCodes.map(({ iso2 }) => iso2));
});

it('finds a country by its name in the standard and by the common one, in any case', () => {
  const names = [
    'Congo, Democratic Republic of the',
    'Congo - Kinshasa',
    ' tanzania ',
    'KENYA',
    'South Korea',
    'saint lucia',
    'Trinidad and Tobago',
    'Hong Kong',
    'Atlantis',
  ];
  expect(names.map(findIso2ByName)).toEqual(['CD', 'CD', 'TZ', 'KE', 'KR', 'LC', 'TT', 'HK', null]);
});

it('names a country as the standard does, and gives its number', () => {
  const codes = ['AD', 'CI', 'HK', 'KE', 'LC', 'RU', 'TR', 'ZW'];
  expect(codes.map((code) => `${findCountry(code)?.numeric} ${findCountry(code)?.name}`)).toEqual([
    '020 Andorra',
    '384 Côte d’Ivoire',
    '344 Hong Kong',
    '404 Kenya',
    '662 Saint Lucia',
    '643 Russian Federation',
    '792 Türkiye',
    '716 Zimbabwe',
  ]);
});

it('does not take the word of the platform for a name on which platforms differ', () => {
  const { of } = Intl.DisplayNames.prototype;
  const asChromium = vi.spyOn(Intl.DisplayNames.prototype, 'of');
  asChromium.mockImplementation(function (this: Intl.DisplayNames, code) {
    return code === 'FK' ? 'Falkland Islands (Islas Malvinas)' : of.call(this, code);
  });
  try {
    expect([findCountry('FK')?.name, findIso2ByName('falkland islands')]).toEqual(['Falkland Islands', 'FK']);
  } finally {
    asChromium.mockRestore();
  }
});

it('agrees with the platform on which regions exist', () => {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
  expect(countries.filter((country) => names.of(country.iso2) === undefined)).toEqual([]);
});

it('converts codes of either length, in any case', () => {
  expect([toIso2('KEN'), toIso2(' ken '), toIso2('ke'), toIso2('XX')]).toEqual(['KE', 'KE', 'KE', null]);
  expect([isCountryCode('KE'), isCountryCode('KEN'), isCountryCode('ke'), isCountryCode('')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect(findCountry('TZA')?.iso2).toBe('TZ');
});

it('has currencies that the platform knows, each code once', () => {
  expect(new Set(currencies.map((currency) => currency.code)).size).toBe(currencies.length);
  expect(currencies.every((currency) => /^[A-Z]{3} ?$/.test(currency.code))).toBe(true);
  expect([isCurrencyCode('KES'), isCurrencyCode('kes'), isCurrencyCode('KSH')]).toEqual([true, false, false]);
});
