import { expect, it } from 'vitest';
import { webhookColumns } from '@shared/contract/webhook-columns';
import { postgresMigrations } from './postgres-schema';
import { receivedColumns } from './write-batch';

it('takes every column that is read from a webhook, with its type', () => {
  const step = postgresMigrations.findLast(({ sql }) => sql.includes('countersign.receive('))!;
  const [, parameters = ''] = /countersign\.receive\((.+?)\) RETURNS/s.exec(step.sql)!;
  const taken = new Map([...parameters.matchAll(/p_(\w+) (\w+)\[\]/g)].map(([, name, type]) => [name, type]));
  for (const name of receivedColumns)
    expect(taken.get(name), name).toBe(webhookColumns[name].sql.startsWith('TEXT') ? 'text' : 'bigint');
});
