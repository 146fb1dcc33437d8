import { randomUUID } from 'node:crypto';
import type { MethodName } from '@shared/contract/contract';
import type { ContractCase, Stage } from './contract-stage';

type CollectionMethod = Extract<MethodName, `collections.${string}`>;

const collectionId = (stage: Stage): string => stage.get('collections.list').activeId!;
const newestPath = (stage: Stage): string => stage.get('collections.create').path;

/** The cases of the collections' methods, in the order in which they are run. */
export const collectionCases: { [M in CollectionMethod]: ContractCase<M> } = {
  'collections.list': { input: {}, badInput: 'open' },
  'collections.tree': {
    input: (stage) => ({ collectionId: collectionId(stage) }),
    badInput: 'root',
    refusal: { input: { collectionId: 'none' }, code: 'collections.not_open' },
  },
  'collections.create': {
    input: (stage) => ({
      collectionId: collectionId(stage),
      name: 'Probe',
      kind: 'request',
      text: 'GET http://127.0.0.1/\n',
    }),
    badInput: { name: '', kind: 'request' },
    refusal: {
      input: (stage) => ({
        collectionId: collectionId(stage),
        folder: '../..',
        name: 'Out',
        kind: 'folder',
      }),
      code: 'collections.bad_path',
    },
  },
  'collections.read': {
    input: (stage) => ({ collectionId: collectionId(stage), path: newestPath(stage) }),
    badInput: { path: 0 },
    refusal: {
      input: (stage) => ({ collectionId: collectionId(stage), path: '../../vault.json' }),
      code: 'collections.bad_path',
    },
  },
  'collections.readBodyFile': {
    input: (stage) => ({ collectionId: collectionId(stage), path: newestPath(stage), file: './Probe.http' }),
    badInput: { path: 'Probe.http', file: 1 },
    refusal: {
      input: (stage) => ({
        collectionId: collectionId(stage),
        path: newestPath(stage),
        file: '../../../../../../../../etc/passwd',
      }),
      code: 'collections.*',
    },
  },
  'collections.write': {
    input: (stage) => ({
      collectionId: collectionId(stage),
      path: newestPath(stage),
      text: 'GET http://127.0.0.1/other\n',
      version: stage.get('collections.read').version,
    }),
    badInput: { path: 'a.http', text: 'GET /' },
    refusal: {
      input: (stage) => ({
        collectionId: collectionId(stage),
        path: newestPath(stage),
        text: 'GET /late\n',
        version: 'of another time',
      }),
      code: 'collections.conflict',
    },
  },
  'collections.export': {
    input: (stage) => ({ collectionId: collectionId(stage), format: 'postman' }),
    badInput: { collectionId: 'x', format: 'pdf' },
    refusal: {
      input: (stage) => ({ collectionId: collectionId(stage), path: 'No such folder', format: 'har' }),
      code: 'collections.unknown',
    },
  },
  'collections.rename': {
    input: async (stage) => {
      const id = collectionId(stage);
      const { path } = await stage.call('collections.create', {
        collectionId: id,
        name: 'Old name',
        kind: 'request',
      });
      return { collectionId: id, path, name: 'New name' };
    },
    badInput: { path: 'a.http', name: '' },
    refusal: {
      input: (stage) => ({ collectionId: collectionId(stage), path: 'none.http', name: 'Other' }),
      code: 'collections.*',
    },
  },
  'collections.copy': {
    input: (stage) => ({
      collectionId: collectionId(stage),
      path: stage.get('collections.rename').path,
      toCollectionId: collectionId(stage),
    }),
    badInput: { path: 'a.http' },
    refusal: {
      input: (stage) => ({
        collectionId: collectionId(stage),
        path: 'none.http',
        toCollectionId: collectionId(stage),
      }),
      code: 'collections.unknown',
    },
  },
  'collections.move': {
    input: (stage) => ({
      collectionId: collectionId(stage),
      path: stage.get('collections.copy').path,
      toCollectionId: collectionId(stage),
      toFolder: 'Payouts',
    }),
    badInput: { path: 'a.http' },
    refusal: {
      input: (stage) => ({
        collectionId: collectionId(stage),
        path: 'Payouts',
        toCollectionId: collectionId(stage),
        toFolder: 'Payouts',
      }),
      code: 'collections.bad_path',
    },
  },
  'collections.delete': {
    input: (stage) => ({ collectionId: collectionId(stage), path: stage.get('collections.rename').path }),
    badInput: {},
    refusal: {
      input: (stage) => ({ collectionId: collectionId(stage), path: 'none.http' }),
      code: 'collections.*',
    },
  },
  'collections.search': {
    input: { searchId: 'contract', text: 'PAYOUT' },
    badInput: { searchId: 'contract', text: '' },
  },
  'collections.cancelSearch': { input: { searchId: 'none' }, badInput: {} },
  'collections.git': {
    input: (stage) => ({ collectionId: collectionId(stage) }),
    badInput: {},
    refusal: { input: { collectionId: 'none' }, code: 'collections.not_open' },
  },
  'collections.trash': { input: {}, badInput: 'all' },
  'collections.restore': {
    input: (stage) => ({ trashId: stage.get('collections.delete').trashId }),
    badInput: {},
    refusal: { input: { trashId: '../../x' }, code: 'collections.unknown' },
  },
  'collections.completeFolder': { input: ({ otherDirectory }) => ({ text: otherDirectory }), badInput: {} },
  'collections.make': {
    input: ({ otherDirectory }) => ({
      name: `Made ${randomUUID()}`,
      from: 'starter',
      directory: otherDirectory,
    }),
    badInput: { name: 'x', from: 'nothing' },
    refusal: { input: { name: '../x', from: 'empty' }, code: 'collections.bad_name' },
  },
  'collections.chooseFolder': { input: {}, badInput: 'home' },
  'collections.reveal': {
    input: (stage) => ({ collectionId: collectionId(stage) }),
    badInput: {},
    refusal: { input: { collectionId: 'none' }, code: 'collections.not_open' },
  },
  'collections.open': {
    input: ({ otherDirectory }) => ({ directory: otherDirectory }),
    badInput: { directory: 1 },
    refusal: { input: { directory: '/no/such/folder' }, code: 'collections.*' },
  },
  'collections.close': {
    input: (stage) => ({ collectionId: stage.get('collections.open').id }),
    badInput: { collectionId: '' },
    refusal: { input: { collectionId: 'none' }, code: 'collections.not_open' },
  },
};
