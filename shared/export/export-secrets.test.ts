import { expect, it } from 'vitest';
import { exportCollection } from './export-collection';
import { exportFormats } from './export-formats';
import type { ExportSource } from './export-source';

const SECRET = 'Hunter2Canary9xK';
const encode = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'latin1'));

function write(
  format: keyof typeof exportFormats,
  text: string,
  file = '',
  environment: ExportSource['environment'] = null,
) {
  const source: ExportSource = {
    name: 'C',
    files: [{ path: 'a.http', text }],
    environment,
    readFile: () => encode(file),
    sources: { now: () => 0, random: { uuid: () => 'u', bytes: (size) => new Uint8Array(size) } },
    version: '1',
  };
  const { files, notes } = exportCollection(source, format);
  const bytes = files.map(({ content }) => Buffer.from(content).toString('latin1')).join('\n');
  const decoded = bytes.replace(
    /[\w+/]{40,}={0,2}/g,
    (found) => `${found} ${atob(found.slice(0, found.length & ~3))}`,
  );
  return { all: decoded, notes: notes.map(({ what }) => what).join('\n') };
}

const formats = Object.keys(exportFormats) as (keyof typeof exportFormats)[];
const request = 'POST http://h/x\nContent-Type: application/json\n\n< ./g.json\n';

it.each(
  formats.flatMap((format) =>
    ['{"a":"{{b}}","api_key":"SECRET"}', '{"a":"Zo\xeb","api_key":"SECRET"}'].map(
      (file) => [format, file] as const,
    ),
  ),
)(
  'takes no file along in %s that holds a credential beside what keeps it from being text: %j',
  (format, file) => {
    const { all, notes } = write(format, request, file.replace('SECRET', SECRET));
    expect(all).not.toContain(SECRET);
    if (format !== 'openapi')
      expect(notes).toMatch(/\.\/g\.json'? (?:holds|is left out: it holds) a credential/);
  },
);

it.each(formats)(
  'hides in %s a credential wherever else it stands: in address, notes, body, other requests',
  (format) => {
    const twin = `GET http://h/${SECRET}/x?q=${SECRET}\nX-Note: see ${SECRET}\n`;
    const body = `# ${SECRET}\nPOST http://h/p\nAuthorization: Bearer ${SECRET}\n\n{"note":"${SECRET}"}\n`;
    expect(write(format, `${twin}\n###\n${body}`).all).not.toContain(SECRET);
    const named = `### Pay with ${SECRET}\n${twin}Authorization: Bearer ${SECRET}\n`;
    expect(write(format, named).all).not.toContain(SECRET);
    const file = `@password = ${SECRET}\n${twin}`;
    expect(write(format, file).all).not.toContain(SECRET);
  },
);

it('takes a file along that holds none, whatever its bytes', () => {
  for (const file of ['{"a":"{{b}}"}', 'Zo\xeb', '\0"api_key":"x"'])
    expect(write('httpyac', request, file).all).toContain(file);
});

it('hides in the scripts that httpYac runs what they hold of secrets, and each once', () => {
  const script = `{%\n// password: ${SECRET}\nclient.global.set("token", "${SECRET}");\n%}`;
  const { all } = write('httpyac', `< ${script}\nGET http://h/x\n\n> ${script}\n`);
  expect(all).not.toContain(SECRET);
  expect(all.match(/client\.global\.set\("token", "\{\{\w+\}\}"\);\n%\}/g)).toHaveLength(2);
});

it.each(formats)(
  'hides in %s what stands beside a variable, and what a variable of the file brings there',
  (format) => {
    const encoded = btoa(`user:${SECRET}`);
    const heads = [
      'X-Use: {{password}} {{line}}',
      `X-Two: {{who}} Bearer ${SECRET}2, x`,
      `X-Three: Bearer ${SECRET}3 {{who}}`,
      `Cookie: a={{who}}; sid=${SECRET}`,
      'Authorization: Basic {{b64}}',
    ];
    const variables = `@line = Bearer ${SECRET}\n@b64 = ${encoded}\n`;
    const { all } = write(
      format,
      `${variables}POST http://h/x\n${heads.join('\n')}\n\n{"note":"{{password}} {{line}}"}\n`,
    );
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain(encoded);
  },
);

it.each(formats)('hides in %s what stands beside a variable in the value of a secret itself', (format) => {
  const heads = [
    `X-Api-Key: {{who}}${SECRET}1`,
    `X-Auth-Token: ${SECRET}2{{who}}`,
    `Authorization: Bearer {{who}}${SECRET}3`,
    `Cookie: a={{who}}; sid={{who}}${SECRET}4`,
  ];
  const { all } = write(
    format,
    `POST http://h/x?api_key={{who}}${SECRET}5\n${heads.join('\n')}\n\n{"password":"${SECRET}6-{{who}}","token":"Bearer {{who}}"}\n`,
  );
  expect(all).not.toContain(SECRET);
});

it('leaves what tells of a value that is a variable', () => {
  const signature = 'Signature keyId="{{k}}",algorithm="rsa-sha256",signature="{{s}}"';
  const body = '{"token":"Bearer {{t}}","password":"{{a}}-{{b}}"}';
  const { all } = write('httpyac', `POST http://h/x\nAuthorization: ${signature}\n\n${body}\n`);
  expect(all).toContain(`Authorization: ${signature}\n\n${body}\n`);
});

it.each(formats)(
  'gives in %s no value to what requests prove themselves with, whatever it is called',
  (format) => {
    const text =
      'POST http://h/x\nAuthorization: Bearer {{mine}}\nX-Api-Key: {{other}}\n\n###\nGET http://h/y\nAuthorization: Basic {{user}} {{third}}\n';
    const variables = { mine: SECRET, other: `${SECRET}2`, third: `${SECRET}3`, user: 'amina' };
    const { all } = write(format, text, '', { name: 'e', baseUrl: 'http://h', variables, privateNames: [] });
    expect(all).not.toContain(SECRET);
    if (format !== 'openapi') expect(all).toMatch(/amina|YW1pbmE/);
  },
);

it.each(formats)(
  'gives in %s no value to what a variable is made of that requests prove themselves with',
  (format) => {
    const text =
      'POST http://h/x\nAuthorization: {{proof}}\n\n###\nGET http://h/y\nAuthorization: {{login}}\n\n###\nGET http://h/z\nX-Api-Key: {{joined}}\n\n{{x}}\n';
    const variables = {
      x: SECRET,
      proof: 'Bearer {{between}}',
      between: '{{ %x }}',
      login: 'Basic {{user}} {{third}}',
      third: `${SECRET}3`,
      user: 'amina',
      joined: `{{tenant}}${SECRET}4`,
    };
    const { all } = write(format, text, '', { name: 'e', baseUrl: 'http://h', variables, privateNames: [] });
    expect(all).not.toContain(SECRET);
    if (format !== 'openapi') expect(all).toMatch(/amina|YW1pbmE/);
  },
);

it.each(formats)('gives in %s no value to what proves a request in its address or body', (format) => {
  const text =
    '@own = {{inFile}}\n@inFile = Hunter2Canary9xK5\nPOST http://h/x?api_key={{k}}&own_token={{own}}\n\n{"password": "{{p}}", "note": "{{plain}}"}\n';
  const variables = { k: SECRET, p: `${SECRET}2`, plain: 'Open7Value' };
  const { all } = write(format, text, '', { name: 'e', baseUrl: 'http://h', variables, privateNames: [] });
  expect(all).not.toContain(SECRET);
  if (format !== 'openapi') expect(all).toContain('Open7Value');
});

it.each(formats)(
  'gives in %s no value to a user and password in one, nor to a user that is a key',
  (format) => {
    const text = [
      'Authorization: Basic {{both}}',
      'Authorization: {{login}}',
      'Authorization: Basic {{key}}:',
      'Authorization: Basic {{twice}} {{third}}',
      'Authorization: Bearer {{twice}}',
    ].join('\n\n###\nGET http://h/x\n');
    const names = ['both', 'inside', 'key', 'twice', 'third'];
    const variables = {
      ...Object.fromEntries(names.map((name, at) => [name, `${SECRET}${at}`])),
      login: 'Basic {{inside}}',
    };
    const environment = { name: 'e', baseUrl: 'http://h', variables, privateNames: [] };
    const { all } = write(format, `GET http://h/x\n${text}\n`, '', environment);
    expect(all).not.toContain(SECRET);
  },
);
