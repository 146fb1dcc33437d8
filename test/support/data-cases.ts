import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Contract } from '@shared/contract/contract';
import type { ContractCase } from './contract-stage';

type DataMethod = Extract<keyof Contract, `data.${string}` | 'settings.export' | 'settings.import'>;

/** Cases of what leaves the data folder, and of what is done with it as a whole; the last calls off what the others have planned. */
export const dataCases: { [M in DataMethod]: ContractCase<M> } = {
  'settings.export': { input: {}, badInput: 1 },
  'settings.import': {
    input: {
      text: '{"format":"countersign-settings","version":1,"settings":{"keepDays":30},"environments":[]}',
    },
    badInput: { text: 1 },
    refusal: { input: { text: '{}' }, code: 'settings.bad_file' },
  },
  'data.overview': { input: {}, badInput: 'x' },
  'data.backup': {
    input: (stage) => ({ file: join(stage.otherDirectory, `${randomUUID()}.tar.gz`) }),
    badInput: { file: '' },
    refusal: { input: { file: 'backup.tar.gz' }, code: 'data.bad_target' },
  },
  'data.restore': {
    input: (stage) => ({ file: stage.get('data.backup').file }),
    badInput: {},
    refusal: { input: { file: '/nowhere/backup.tar.gz' }, code: 'data.unreadable_file' },
  },
  'data.move': {
    input: (stage) => ({ to: join(stage.otherDirectory, randomUUID()) }),
    badInput: { to: 1 },
    refusal: { input: { to: '/' }, code: 'data.bad_target' },
  },
  'data.reset': {
    input: { word: 'reset' },
    badInput: {},
    refusal: { input: { word: 'yes' }, code: 'data.not_confirmed' },
  },
  'data.keep': { input: {}, badInput: 3 },
};
