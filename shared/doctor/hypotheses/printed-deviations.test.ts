import { expect, it } from 'vitest';
import { composeDraft, startDraft, type SubjectValue } from '../search/draft';
import { listPrintedDeviations } from './printed-deviations';

const value = (path: string, text: string, isString = true): SubjectValue => ({
  path,
  text,
  raw: text,
  isString,
});
const values = [
  value('transaction.reference', 'INV-42'),
  value('transaction.amount', '32000', false),
  value('originator.country', 'TZ'),
  value('transaction.service_code', 'B2C'),
];
const write = (values: readonly SubjectValue[]): string[] =>
  listPrintedDeviations(values).map(({ apply }) => {
    const draft = startDraft(values);
    apply(draft);
    return composeDraft(draft);
  });
const texts = write(values);

/** Printed by these languages themselves; the records of .NET and the class of Lombok as their documentation has them. */
it.each<[source: string, text: string]>([
  ["Python, str of a dict", "{'reference': 'INV-42', 'amount': 32000, 'country': 'TZ', 'service_code': 'B2C'}"],
  ["Python, str of a dict of decimals", "{'reference': 'INV-42', 'amount': Decimal('32000'), 'country': 'TZ', 'service_code': 'B2C'}"],
  ["Python, str of values", "dict_values(['INV-42', 32000, 'TZ', 'B2C'])"],
  ["Python, str of items", "[('reference', 'INV-42'), ('amount', 32000), ('country', 'TZ'), ('service_code', 'B2C')]"],
  ["Python, str of an OrderedDict", "OrderedDict([('reference', 'INV-42'), ('amount', 32000), ('country', 'TZ'), ('service_code', 'B2C')])"],
  ["Python, json.dumps with indent", "{\n    \"reference\": \"INV-42\",\n    \"amount\": 32000,\n    \"country\": \"TZ\",\n    \"service_code\": \"B2C\"\n}"],
  ["Python, json.dumps of a text", "{\"reference\": \"INV-42\", \"amount\": \"32000\", \"country\": \"TZ\", \"service_code\": \"B2C\"}"],
  ["PHP, print_r", "Array\n(\n    [reference] => INV-42\n    [amount] => 32000\n    [country] => TZ\n    [service_code] => B2C\n)\n"],
  ["PHP, print_r of a list", "Array\n(\n    [0] => INV-42\n    [1] => 32000\n    [2] => TZ\n    [3] => B2C\n)\n"],
  ["PHP, var_export", "array (\n  'reference' => 'INV-42',\n  'amount' => 32000,\n  'country' => 'TZ',\n  'service_code' => 'B2C',\n)"],
  ["PHP, serialize", "a:4:{s:9:\"reference\";s:6:\"INV-42\";s:6:\"amount\";i:32000;s:7:\"country\";s:2:\"TZ\";s:12:\"service_code\";s:3:\"B2C\";}"],
  ["Node, inspect", "{\n  reference: 'INV-42',\n  amount: 32000,\n  country: 'TZ',\n  service_code: 'B2C'\n}"],
  ["Node, inspect of a list", "[ 'INV-42', 32000, 'TZ', 'B2C' ]"],
  ["Node, JSON with 2 spaces", "{\n  \"reference\": \"INV-42\",\n  \"amount\": 32000,\n  \"country\": \"TZ\",\n  \"service_code\": \"B2C\"\n}"],
  ["Ruby, Hash#to_s", "{\"reference\"=>\"INV-42\", \"amount\"=>32000, \"country\"=>\"TZ\", \"service_code\"=>\"B2C\"}"],
  ["Ruby, of symbols", "{:reference=>\"INV-42\", :amount=>32000, :country=>\"TZ\", :service_code=>\"B2C\"}"],
  ["Ruby, to_yaml", "---\nreference: INV-42\namount: 32000\ncountry: TZ\nservice_code: B2C\n"],
  ["Java, a record", "Payout[reference=INV-42, amount=32000, country=TZ, serviceCode=B2C]"],
  ["Java, a LinkedHashMap", "{reference=INV-42, amount=32000, country=TZ, service_code=B2C}"],
  ["Java, a HashMap", "{reference=INV-42, country=TZ, service_code=B2C, amount=32000}"],
  ["Java, a TreeMap", "{amount=32000, country=TZ, reference=INV-42, service_code=B2C}"],
  ["Java, a class of Lombok", "Payout(reference=INV-42, amount=32000, country=TZ, serviceCode=B2C)"],
  ["Go, %v of a struct", "{INV-42 32000 TZ B2C}"],
  ["Go, %+v of a struct", "{Reference:INV-42 Amount:32000 Country:TZ ServiceCode:B2C}"],
  ["Go, a map", "map[amount:32000 country:TZ reference:INV-42 service_code:B2C]"],
  ["Go, Sprintln", "INV-42 32000 TZ B2C\n"],
  ["Python, a dataclass", "Payout(reference='INV-42', amount=32000, country='TZ', service_code='B2C')"],
  ["Python, a tuple with a float", "('INV-42', 32000.0, 'TZ', 'B2C')"],
  ["Kotlin, a data class with a Double", "Payout(reference=INV-42, amount=32000.0, country=TZ, serviceCode=B2C)"],
  [".NET, a tuple", "(INV-42, 32000, TZ, B2C)"],
  [".NET, an anonymous object", "{ Reference = INV-42, Amount = 32000, Country = TZ, ServiceCode = B2C }"],
  [".NET, a record", "Payout { Reference = INV-42, Amount = 32000, Country = TZ, ServiceCode = B2C }"],
])('tries what is printed of the four values by %s', (_source, text) => {
  expect(texts).toContain(text);
}); // prettier-ignore

it.each([
  ['Go, Sprintln', 'INV-42 1.25e+07 TZ B2C\n'],
  ['Go, %v of a struct', '{INV-42 1.25e+07 TZ B2C}'],
  ['Go, %+v of a struct', '{Reference:INV-42 Amount:1.25e+07 Country:TZ ServiceCode:B2C}'],
  ['Java, a record with a double', 'Payout[reference=INV-42, amount=1.25E7, country=TZ, serviceCode=B2C]'],
  ['Python, a list with a float', "['INV-42', 12500000.0, 'TZ', 'B2C']"],
])('tries the floats of %s', (_source, text) => {
  expect(write(values.toSpliced(1, 1, value('transaction.amount', '12500000', false)))).toContain(text);
});

it('says what was printed, tries each text once, and with nothing else', () => {
  const all = listPrintedDeviations(values);
  expect(new Set(texts).size).toBe(texts.length);
  expect(new Set(all.map(({ tier }) => tier))).toEqual(new Set(['alone']));
  const struct = all[texts.indexOf('{INV-42 32000 TZ B2C}')]!;
  expect(struct.explain()).toMatchObject([
    { code: 'string.quoted', phrase: 'over the four values as Go prints a struct', expected: 'the bare values' },
  ]);
}); // prettier-ignore
