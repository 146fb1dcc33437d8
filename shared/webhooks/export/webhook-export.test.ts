import { expect, it } from 'vitest';
import { webhookExportNames, writeWebhookFile, type ExportedWebhook } from './webhook-export';

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
  expect(curl.match(/^curl -X POST/gm)).toHaveLength(2);
  expect(curl).toContain(`it'\\''s`);
  expect(http.match(/^### /gm)).toHaveLength(2);
  for (const form of webhookExportNames) expect(() => writeWebhookFile(form, [], '1.0')).not.toThrow();
  expect(JSON.parse(writeWebhookFile('har', [], '1.0'))).toMatchObject({ log: { entries: [] } });
});
