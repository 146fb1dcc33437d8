import { expect, it } from 'vitest';
import { detectFormat } from './detect-format';
import { importFormats } from './import-formats';

const detect = (text: string, path = 'x.json'): string =>
  detectFormat({ name: path, files: [{ path, text }] });

it.each([
  ['postman', '{"info":{"schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}}'],
  ['postman', '{"_postman_variable_scope":"environment"}'],
  ['postman', '{"collection":{"info":{"schema":"s"}}}'],
  ['postman', '{"info":{"_postman_id":"1"}}'],
  ['postman', '{"name":"local","values":[]}'],
  ['postman', '{"info":{},"item":[]}'],
  ['openapi', '{"openapi":"3.1.0"}'],
  ['openapi', '{"swagger":"2.0"}'],
  ['openapi', 'openapi: 3.1.0\ndescription: |\n  curl https://example.com'],
  ['insomnia', '{"__export_format":4}'],
  ['insomnia', 'type: collection.insomnia.rest/5.0'],
  ['har', '{"log":{"entries":[]}}'],
  ['bruno', '{"opencollection":"1.0.0"}'],
  ['bruno', '{"brunoConfig":{}}'],
  ['bruno', '{"version":"1","items":[]}'],
  ['bruno', '{"http":{"url":"http://x"},"info":{}}'],
  ['bruno', 'get {\n  url: http://x\n}'],
  ['curl', 'curl http://x'],
  ['curl', 'A=$(curl  http://x)'],
  ['curl', 'echo;CURL.exe http://x'],
  ['curl', 'irm http://x'],
  ['curl', `#!/bin/sh\n${'# a licence\n'.repeat(10_000)}  curl http://x\n`],
  [
    'insomnia',
    `_type: export\n__export_format: 4\nresources: []\na: |\n${'  a\n'.repeat(30_000)}  curl http://x\n`,
  ],
  ['bruno', '  vars:secret{\n}'],
  ['har', ' \n {"log":{"entries":[],"comment":"\\ncurl http://x"}}'],
])('takes for %s: %s', (format, text) => {
  expect(detect(text)).toBe(format);
});

it('knows a YAML document of OpenAPI by its first line, without reading it whole', () => {
  expect(detect("\nopenapi: '3.0.4'\npaths: {\n")).toBe('openapi');
  expect(() => detect('openapi: 2\npaths: {\n')).toThrow('cannot be read');
});

it('names every format that is read where it knows none', () => {
  expect(() => detect('{}')).toThrow(/^x\.json is none of what is read: curl, .*, OpenCollection, .*\.$/);
  for (const { label } of Object.values(importFormats)) expect(() => detect('{}')).toThrow(label);
});

it('goes by what a file of Bruno is called, and by a folder of files', () => {
  expect(detect('anything', 'x.BRU')).toBe('bruno');
  expect(() => detect('a: 1', 'x.bru.yaml')).toThrow('is none of what is read');
  const file = { path: 'a', text: '' };
  expect(detectFormat({ name: 'folder', files: [file, file] })).toBe('bruno');
});

it.each([
  '{"name":"local"}',
  '{"values":[]}',
  '{"name":"local","values":{}}',
  '{"item":[]}',
  '{"info":{}}',
  '{"info":{},"item":{}}',
  '{"version":"1"}',
  '{"items":[]}',
  '{"http":{"url":"http://x"}}',
  '{"http":{},"info":{}}',
  '[]',
  'mycurl http://x',
  'target {\n}',
])('takes for nothing that is known: %s', (text) => {
  expect(() => detect(text)).toThrow('x.json is none of what is read');
});

it('sends a request file to a collection, and no file that is only called like one', () => {
  expect(() => detect('GET http://x', 'x.rest')).toThrow('is a request file already');
  expect(detect('curl http://x', 'x.http.txt')).toBe('curl');
});

it.each(['PRIVATE KEY', 'RSA PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'PUBLIC KEY', 'CERTIFICATE'])(
  'sends a file that begins as a PEM of %s to where keys and certificates are',
  (kind) => {
    expect(() => detect(`\n-----BEGIN ${kind}-----\nAAAA\n`, 'key.pem')).toThrow(
      /^key\.pem is a key or a certificate, .* “Import a key…” in Keys and tokens,/,
    );
  },
);

it.each([
  [
    'fetch("https://x.example", {\n  "method": "POST"\n});',
    'a call of fetch: where it was copied, copy it as cURL',
  ],
  ["wget --method=POST --body-data='{}' https://x.example", 'a wget command: write it as curl'],
  ['http POST https://x.example a=1', 'an HTTPie command: write it as curl'],
  ['POST https://x.example\n\n{}', 'a request as it stands in a request file'],
  ['<?xml version="1.0"?><soap-project/>', 'XML or HTML'],
  ['syntax = "proto3";', 'a definition of gRPC'],
  ['{"client":"Thunder Client","requests":[]}', 'a collection of Thunder Client'],
  ['{"clientName":"Thunder Client","requests":[]}', 'a collection of Thunder Client'],
  ['{"v":2,"name":"h","requests":[]}', 'a collection of Hoppscotch'],
  ['[{"v":2,"name":"h","folders":[],"requests":[]}]', 'a collection of Hoppscotch'],
  ['[{"v":1,"name":"h","variables":[]}]', 'an environment of Hoppscotch'],
  [
    `{\n  // mine\n  "a": "${'x'.repeat(20_000)}",\n  "rest-client.environmentVariables": {"$shared": {},},\n}`,
    'a file of settings with environments of the REST Client: save what stands under',
  ],
  ['{"yaakVersion":"1","resources":{}}', 'an export of Yaak'],
  ['{"id":"a","order":[],"requests":[]}', 'a collection of Postman 1.0'],
  ['{"version":1,"collections":[],"environments":[]}', "a dump of all of Postman's data"],
  ['{"asyncapi":"3.0.0"}', 'an AsyncAPI document'],
])('names what is known and not read, with what to do: %s', (text, said) => {
  expect(() => detect(text)).toThrow(`x.json is ${said}`);
  expect(() => detect(text)).toThrow('What is read: curl, ');
});

it('begins its sentence with a capital letter where there is no file', () => {
  expect(() => detectFormat({ name: 'pasted text', files: [{ path: '', text: 'Dear all' }] })).toThrow(/^The pasted text is none/);
  expect(() => detectFormat({ name: 'standard input', files: [{ path: '', text: 'wget x' }] })).toThrow(/^Standard input is a wget/);
}); // prettier-ignore
