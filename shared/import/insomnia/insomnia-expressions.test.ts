import { expect, it } from 'vitest';
import { mapInsomniaText } from './insomnia-expressions';

/** What a text of Insomnia is with us, what is said of it, and what has another name. */
function map(text: string) {
  const notes: string[] = [];
  const renames = new Map<string, string>();
  return {
    text: mapInsomniaText(text, (what) => void notes.push(what), renames),
    notes,
    renames: [...renames],
  };
}

it.each([
  ['{{name}}', '{{name}}'],
  ['{{ _.base_url }}/a', '{{base_url}}/a'],
  ['{{ _["base_url"] }}', '{{base_url}}'],
  ["{{ _[ 'base_url' ] }}", '{{base_url}}'],
  ["{{['base_url']}}", '{{base_url}}'],
  ['{{a_._.b}}', '{{a_._.b}}'],
  ['{{ _.my vault.x }}', '{{my vault.x}}'],
  ['{{{a}}}', '{{{a}}}'],
  ['{{}} {{a\nb}} {a}', '{{}} {{a\nb}} {a}'],
])('reads the variable of %j as %j, and says nothing', (given, wanted) => {
  expect(map(given)).toEqual({ text: wanted, notes: [], renames: [] });
});

it.each([
  ['{{ vault.pin }}', '{{pin}}'],
  ['{{ _.list[0] }}', '{{list.0}}'],
  ["{{ _.shop['till'].id }}", '{{shop.till.id}}'],
  ["{{ _.shop['till' ] }}", '{{shop.till}}'],
  [`{{ _['shop'].till["id"] }}`, '{{shop.till.id}}'],
  [`{{ _["shop's"].till }}`, "{{shop's.till}}"],
])('tells of %j that it is %j here', (given, wanted) => {
  expect(map(given)).toEqual({ text: wanted, notes: [], renames: [[given, wanted]] });
});

it('leaves comments out, as Insomnia does not send them, and says so', () => {
  expect(map('{"a":1}{# of {{ a }}\n#}{# b #} {{ _.c }} {# open')).toEqual({
    text: '{"a":1} {{c}} {# open',
    notes: ['The comments of its template ({# … #}) are left out: Insomnia does not send them.'],
    renames: [],
  });
});

it('leaves filters out, and says which', () => {
  expect(map('{{ _.a | upper }}-{{ _.b | join | lower }}')).toMatchObject({
    text: '{{a}}-{{b}}',
    notes: ["The filter 'upper' of a variable is left out.", "The filter 'join…' of a variable is left out."],
  });
});

it.each([
  ['a {{- _.x -}} b', 'a{{x}}b'],
  ['a\n{{-x}} b', 'a{{x}} b'],
  ["{{ _['x'] -}}\n{{ _.y|upper -}} b", '{{x}}{{y}}b'],
  ['a {%- uuid -%}\n b', 'a{{$uuid}}b'],
  ['{"a":{"b":"-"}} {{ _.x }} -', '{"a":{"b":"-"}} {{x}} -'],
])('writes %j as %j: its hyphens take blanks away', (given, wanted) => {
  expect(map(given).text).toBe(wanted);
});

it.each([
  ["{% uuid 'v4' %}", '{{$uuid}}'],
  ['{% uuid %}', '{{$uuid}}'],
  ["{% now 'iso-8601', '' %}", '{{$isoTimestamp}}'],
  ['{% now  "iso-8601" %}', '{{$isoTimestamp}}'],
  ["{% now  'unix', '' %}", '{{$timestamp}}'],
  ['{% now "s" %}', '{{$timestamp}}'],
  ['{%- now -%}', '{{$isoTimestamp}}'],
  ["{% faker  'guid' %}", '{{$uuid}}'],
  ['{% faker "randomUUID" %}', '{{$uuid}}'],
  ["{% faker  'timestamp' %}", '{{$timestamp}}'],
  ["{% faker  'isoTimestamp' %}", '{{$isoTimestamp}}'],
  ["{% faker  'randomInt' %}", '{{$randomInt}}'],
  ["{% faker  'randomEmail' %}", '{{$random.email}}'],
  ["{% faker  'randomExampleEmail' %}", '{{$random.email}}'],
])('makes %s itself: %s', (given, wanted) => {
  expect(map(`a${given}b`)).toEqual({ text: `a${wanted}b`, notes: [], renames: [[given, wanted]] });
  // Behind another word it is an argument of that one.
  expect(map(given.replace(/^\{%-?/, '{% my')).text).toBe('{{my_value}}');
});

it.each([
  ["{% response 'body', 'req_1', '$.access_token' %}", 'access_token', 'body access_token'],
  // As Insomnia writes it, with the time that an answer stays good behind.
  [
    "{% response 'body', 'req_1', 'b64::JC5kYXRhLnBheW1lbnRfdXVpZA==::46b', 'when-expired', 60 %}",
    'response_payment_uuid',
    'body data.payment_uuid',
  ],
])('names what %s takes of an answer', (given, name, source) => {
  expect(map(given)).toEqual({
    text: `{{${name}}}`,
    notes: [
      `The template tag 'response…' is not done here: {{${name}}} stands in its place, which a run takes by \`# @capture ${name} = ${source}\` above the request that is answered.`,
    ],
    renames: [],
  });
});

it.each([
  ["{% response 'body', 'req_1', 'b64::A::46b' %}", '{{response_value}}', 'response…'],
  ["{% response 'header', 'req_1', 'Location' %}", '{{response_value}}', 'response…'],
  ["{% response 'body', 'req_1' %}", '{{response_value}}', 'response…'],
  ["{% nowadays 'x' %}", '{{nowadays_value}}', 'nowadays…'],
  ['{% my_uuid %}', '{{my_uuid_value}}', 'my_uuid'],
  ["{% xnow 'unix' %}", '{{xnow_value}}', 'xnow…'],
  ["{% now 'milliseconds' %}", '{{now_value}}', 'now…'],
  ["{% faker 'firstName' %}", '{{faker_value}}', 'faker…'],
  ["{% xfaker 'guid' %}", '{{xfaker_value}}', 'xfaker…'],
  ['{% 7 %}', '{{tag_value}}', '7'],
  ['{% 7a %}', '{{tag_value}}', '7a'],
])('gives a variable for %s, and says so', (given, wanted, quoted) => {
  expect(map(given)).toEqual({
    text: wanted,
    notes: [`The template tag '${quoted}' is not done here: give ${wanted} a value in its place.`],
    renames: [],
  });
});

it('takes nothing for a tag that is not closed, or is longer than any', () => {
  for (const text of ['{% uuid', '{%', `{% ${'a'.repeat(3000)} %}`, '{ % uuid % }'])
    expect(map(text)).toEqual({ text, notes: [], renames: [] });
});
