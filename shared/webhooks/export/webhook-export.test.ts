import { expect, it } from 'vitest';
import type { webhookExportFormats } from './webhook-export';
import {
  describeExportedWebhook,
  describeHarEntry,
  webhookExportNames,
  writeExportedWebhook,
  writeWebhookFile,
  type ExportedWebhook,
} from './webhook-export';

const webhook: ExportedWebhook = {
  id: '1',
  receivedAt: Date.UTC(2026, 0, 2),
  method: 'POST',
  path: '/cb?a=1',
  contentType: 'application/json',
  clientReference: "R'1",
  respondedStatus: 200,
  answeredInMs: 2,
  sizeBytes: 13,
  headers: [['Host', '127.0.0.1:4020']],
  body: `{"a":"it's"}\n`,
  bodyBase64: btoa(`{"a":"it's"}\n`),
};

it('writes webhooks as one file that each tool reads', () => {
  const [jsonl, har, curl, http] = webhookExportNames.map((form) =>
    writeWebhookFile(form, [webhook, { ...webhook, id: '2' }], '1.0'),
  ) as [string, string, string, string];
  const lines = jsonl.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(['1', '2']);
  const { log } = JSON.parse(har) as { log: { creator: object; entries: { request: object }[] } };
  expect(log.creator).toEqual({ name: 'Countersign', version: '1.0' });
  expect(log.entries).toHaveLength(2);
  expect(log.entries[0]!.request).toMatchObject({
    url: 'http://127.0.0.1:4020/cb?a=1',
    queryString: [{ name: 'a', value: '1' }],
  });
  expect(curl.match(/^curl /gm)).toHaveLength(2);
  expect(curl).toContain(`it'\\''s`);
  expect(http.match(/^### /gm)).toHaveLength(2);
  for (const form of webhookExportNames) expect(() => writeWebhookFile(form, [], '1.0')).not.toThrow();
  expect(JSON.parse(writeWebhookFile('har', [], '1.0'))).toMatchObject({ log: { entries: [] } });
});

it('says of a webhook in an archive what came, what was answered and how long that took', () => {
  expect(describeHarEntry(webhook)).toEqual({
    startedDateTime: '2026-01-02T00:00:00.000Z',
    time: 2,
    request: {
      method: 'POST',
      url: 'http://127.0.0.1:4020/cb?a=1',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [{ name: 'Host', value: '127.0.0.1:4020' }],
      queryString: [{ name: 'a', value: '1' }],
      postData: { mimeType: 'application/json', text: webhook.body, _base64: webhook.bodyBase64 },
      headersSize: -1,
      bodySize: 13,
    },
    response: {
      status: 200,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: 'text/plain' },
      redirectURL: '',
      headersSize: -1,
      bodySize: 0,
    },
    cache: {},
    timings: { send: 0, wait: 2, receive: 0 },
  });
  expect(describeHarEntry({ ...webhook, contentType: null, answeredInMs: null })).toMatchObject({
    time: 0,
    request: { postData: { mimeType: 'application/octet-stream' } },
    timings: { wait: 0 },
  });
});

it('has no body in an archive where none came', () => {
  expect(describeHarEntry({ ...webhook, body: '', bodyBase64: '' })['request']).not.toHaveProperty(
    'postData',
  );
});

it('writes files whole, each in its own form', () => {
  const two = [webhook, { ...webhook, id: '2', clientReference: null }];
  const file = (form: keyof typeof webhookExportFormats): string => writeWebhookFile(form, two, '1.0');
  expect((JSON.parse(file('har')) as { log: unknown }).log).toEqual({
    version: '1.2',
    creator: { name: 'Countersign', version: '1.0' },
    entries: two.map(describeHarEntry),
  });
  expect(file('jsonl')).toBe(two.map((one) => `${JSON.stringify(describeExportedWebhook(one))}\n`).join(''));
  for (const form of ['curl', 'http'] as const) {
    expect(file(form)).toBe(two.map((one) => `${writeExportedWebhook(form, one)}\n`).join('\n'));
  }
  expect(file('http')).toMatch(/^### R'1 2026-01-02T00:00:00\.000Z$/m);
  expect(file('http')).toMatch(/^### 2 2026-01-02T00:00:00\.000Z$/m);
  expect(describeExportedWebhook(webhook)).toMatchObject({
    id: '1',
    method: 'POST',
    headers: webhook.headers,
    body_base64: webhook.bodyBase64,
  });
});

it.each([
  [[['hOST', 'relay.test:8080']], 'http://relay.test:8080'],
  [[['Host', '[::1]:80']], 'http://[::1]:80'],
  [[['X-Host', 'relay.test']], 'http://127.0.0.1'],
  [[['Host', 'relay.test/{{vault.key}}']], 'http://127.0.0.1'],
  [[['Host', 'a b']], 'http://127.0.0.1'],
  [[], 'http://127.0.0.1'],
] as [[string, string][], string][])('takes %j for the address %s', (headers, address) => {
  expect(describeHarEntry({ ...webhook, headers })['request']).toMatchObject({ url: `${address}/cb?a=1` });
});
