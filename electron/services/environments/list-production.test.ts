import { expect, it } from 'vitest';
import type { EnvironmentRecord } from '@shared/contract/environments';
import { listProduction } from './list-production';

const kinds = { 'c1/live': 'production', 'c1/dev': 'sandbox' } as const;
const bindings = {
  'c1/live': 'https://pay.example',
  'c1/dev': 'https://dev.example',
  'data/gone': 'https://x.example',
};
const record = (id: string, kind: EnvironmentRecord['kind'], baseUrl: string): EnvironmentRecord =>
  ({ id, name: id, label: `${id} · shop`, kind, baseUrl }) as EnvironmentRecord;
const kept = { id: 'c1/live', name: 'live', kind: 'production', baseUrl: 'https://pay.example' };

it.each([
  ['its collection is closed, or its file cannot be read', [], [{ ...kept, label: 'live' }]],
  ['it is there', [record('c1/live', 'production', 'https://pay.example/v2')], []],
  [
    'somebody gave it another address',
    [record('c1/live', 'production', 'https://new.example')],
    [{ ...kept, label: 'c1/live · shop' }],
  ],
  [
    'one of the data folder got another',
    [record('data/gone', 'production', 'https://y.example')],
    [
      { ...kept, id: 'data/gone', name: 'gone', label: 'data/gone · shop', baseUrl: 'https://x.example' },
      { ...kept, label: 'live' },
    ],
  ],
])(
  'knows production by the address that its secrets are for, or that it was marked with: %s',
  (_case, there, elsewhere) => {
    const listed = [...there, record('c1/dev', 'sandbox', 'https://dev.example')];
    for (const known of [
      { kinds, bindings, liveAddresses: {} },
      { kinds, bindings: {}, liveAddresses: bindings },
      { kinds, bindings, liveAddresses: bindings },
    ])
      expect(listProduction(known, listed)).toEqual([...there, ...elsewhere]);
  },
);

it('knows both where its secrets were bound to another than it was marked with', () => {
  const known = { kinds, bindings, liveAddresses: { 'c1/live': 'https://old.example' } };
  expect(listProduction(known, []).map(({ baseUrl }) => baseUrl)).toEqual([
    'https://pay.example',
    'https://old.example',
  ]);
});
