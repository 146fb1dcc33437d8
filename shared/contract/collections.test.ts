import { collectionFileMethods } from './collection-files';
import { collectionMethods, type TreeNode } from './collections';
import { exportMethods } from './exports';
import { importMethods } from './imports';
import { checkMethods, long, named } from './testing/check-methods';

const at = 1_800_000_000_000;
const MIB = 1024 * 1024;
const collectionId = 'c1';
const ids = { collectionId: ['x', long(40), '../c1'] };
const noIds = { collectionId: ['', long(41)] };
const paths = { path: ['', long(4096)] };
const noPaths = { path: [long(4097)] };
const names = { name: ['a', long(200)] };
const noNames = { name: ['', long(201)] };

const open = { id: 'c1', name: 'Payouts', directory: '/home/ann/payouts' };
const node: TreeNode = {
  path: 'One.http',
  name: 'One',
  kind: 'request',
  depth: 0,
  method: 'POST',
  operation: 'payout',
  fault: { line: 3, message: 'No address.' },
  requestCount: 1,
};
const folder: TreeNode = { ...node, kind: 'folder', method: null, operation: null, fault: null };

checkMethods(collectionMethods, {
  'collections.list': {
    calls: [{}],
    answers: [
      {
        collections: [open],
        activeId: 'c1',
        heldBack: [open],
        recent: [open],
        notes: [{ collectionId, message: 'An import was brought to its end.' }],
      },
      { collections: [], activeId: null, heldBack: [], recent: [], notes: [] },
    ],
    says: ['collections.unreadable'],
  },
  'collections.open': {
    calls: [{ directory: '/home/ann/payouts' }],
    answers: [open],
    says: ['collections.missing'],
  },
  'collections.make': {
    calls: [
      { name: 'Payouts', from: 'starter' },
      { name: 'Payouts', from: 'empty', directory: '/home/ann' },
      { name: 'Payouts', from: 'empty', directory: null },
    ],
    becomes: { name: 'Payouts', from: 'starter', directory: null },
    takes: names,
    refuses: { ...noNames, from: ['copy'] },
    answers: [open],
    says: ['collections.exists'],
  },
  'collections.chooseFolder': {
    calls: [{}],
    answers: [{ directory: '/home/ann' }, { directory: null }],
    says: ['collections.unreadable'],
    hosts: ['electron'],
  },
  'collections.completeFolder': {
    calls: [{ text: '~/pay' }],
    takes: { text: ['', long(4096)] },
    refuses: { text: [long(4097)] },
    answers: [{ folders: ['/home/ann/payouts'], isCut: false }],
    says: ['collections.bad_path'],
  },
  'collections.reveal': {
    calls: [{ collectionId }, { collectionId, path: 'One.http' }],
    becomes: { collectionId, path: '' },
    takes: { ...ids, ...paths },
    refuses: { ...noIds, ...noPaths },
    answers: [{}],
    says: ['collections.bad_path'],
    hosts: ['electron'],
  },
  'collections.close': {
    calls: [{ collectionId }],
    takes: ids,
    refuses: noIds,
    answers: [{}],
    says: ['collections.not_open'],
  },
  'collections.tree': {
    calls: [{ collectionId }],
    takes: ids,
    refuses: noIds,
    answers: [
      { ...open, nodes: [node, folder], orderFault: null },
      { ...open, nodes: [], orderFault: 'line 1 is no JSON' },
    ],
    gives: { 'nodes.0.kind': ['folder', 'request', 'example'] },
    withholds: { 'nodes.0.kind': ['link'], 'nodes.0.operation': ['loan'] },
    says: ['collections.not_open'],
  },
});

const transfer = {
  calls: [
    { collectionId, path: 'One.http', toCollectionId: 'c2' },
    { collectionId, path: 'One.http', toCollectionId: 'c2', toFolder: 'Old' },
  ],
  becomes: { collectionId, path: 'One.http', toCollectionId: 'c2', toFolder: '' },
  takes: { ...ids, ...paths, toCollectionId: [long(40)], toFolder: [long(4096)] },
  refuses: { ...noIds, ...noPaths, toCollectionId: ['', long(41)], toFolder: [long(4097)] },
  answers: [{ path: 'Old/One.http' }],
};
const hit = {
  collectionId,
  path: 'One.http',
  name: 'One',
  place: 'body' as const,
  line: 3,
  requestIndex: 0,
  bodyRange: { start: 1, end: 5 },
  excerpt: '{"amount": 1}',
  start: 2,
  length: 6,
};

checkMethods(collectionFileMethods, {
  'collections.read': {
    calls: [{ collectionId, path: 'One.http' }],
    takes: ids,
    refuses: noIds,
    answers: [{ path: 'One.http', text: 'GET /', version: 'v1' }],
    says: ['collections.not_utf8'],
  },
  'collections.readBodyFile': {
    calls: [{ collectionId, path: 'One.http', file: './photo.png' }],
    takes: { ...ids, file: [long(1000)] },
    refuses: { ...noIds, file: [long(1001)] },
    answers: [{ base64: 'AA==' }],
    says: ['collections.bad_path'],
  },
  'collections.write': {
    calls: [
      { collectionId, path: 'One.http', text: 'GET /', version: 'v1' },
      { collectionId, path: 'One.http', text: '', version: null },
    ],
    takes: { ...ids, text: [long(16 * MIB)] },
    refuses: { ...noIds, text: [long(16 * MIB + 1)] },
    answers: [{ path: 'One.http', version: 'v2' }],
    says: ['collections.conflict', 'collections.read_only'],
  },
  'collections.create': {
    calls: [
      { collectionId, name: 'One', kind: 'request' },
      { collectionId, folder: 'Old', name: 'One', kind: 'folder', text: 'GET /' },
    ],
    becomes: { collectionId, folder: '', name: 'One', kind: 'request' },
    takes: { ...ids, ...names },
    refuses: { ...noIds, ...noNames, kind: ['example'] },
    answers: [{ path: 'One.http' }],
    says: ['collections.bad_name'],
  },
  'collections.rename': {
    calls: [{ collectionId, path: 'One.http', name: 'Two' }],
    takes: { ...ids, ...names },
    refuses: { ...noIds, ...noNames },
    answers: [{ path: 'Two.http' }],
    says: ['collections.exists'],
  },
  'collections.move': { ...transfer, says: ['collections.exists'] },
  'collections.copy': { ...transfer, says: ['collections.missing'] },
  'collections.delete': {
    calls: [{ collectionId, path: 'One.http' }],
    takes: ids,
    refuses: noIds,
    answers: [{ trashId: 't1' }],
    says: ['collections.missing'],
  },
  'collections.trash': {
    calls: [{}],
    answers: [
      {
        entries: [
          { trashId: 't1', collectionId, collectionName: 'Payouts', path: 'One.http', deletedAt: at },
        ],
      },
    ],
    says: ['collections.unreadable'],
  },
  'collections.restore': {
    calls: [{ trashId: 't1' }],
    takes: { trashId: [long(100)] },
    refuses: { trashId: [long(101)] },
    answers: [{ collectionId, path: 'One.http' }],
    says: ['collections.missing'],
  },
  'collections.git': {
    calls: [{ collectionId }],
    takes: ids,
    refuses: noIds,
    answers: [
      { branch: 'main', files: [{ path: 'One.http', state: 'new' }] },
      { branch: null, files: [] },
    ],
    gives: { 'files.0.state': ['new', 'changed'] },
    withholds: { 'files.0.state': ['gone'] },
    says: ['collections.not_open'],
  },
  'collections.search': {
    calls: [
      { searchId: 's1', text: 'amount' },
      { searchId: 's1', text: 'amount', limit: 5 },
    ],
    becomes: { searchId: 's1', text: 'amount', limit: 200 },
    takes: { searchId: ['s', long(100)], text: ['a', '.*(', long(200)], limit: [1, 500] },
    refuses: { searchId: ['', long(101)], text: ['', long(201)], limit: [0, 501, 1.5] },
    answers: [{ hits: [hit, { ...hit, bodyRange: null }], searched: 12, isCut: true }],
    gives: { 'hits.0.place': ['name', 'url', 'header', 'body', 'comment'] },
    withholds: { 'hits.0.place': ['path'] },
    says: ['collections.unreadable'],
  },
  'collections.cancelSearch': {
    calls: [{ searchId: 's1' }],
    takes: { searchId: ['s', long(100)] },
    refuses: { searchId: ['', long(101)] },
    answers: [{}],
    says: ['collections.unreadable'],
  },
});

const least = { name: 'staging', baseUrl: 'https://a.test', variables: named({ country: 'KE' }) };

checkMethods(exportMethods, {
  'collections.export': {
    calls: [
      { collectionId, format: 'curl' },
      { collectionId, path: 'Old', format: 'har', environment: { ...least, privateNames: ['pin'] } },
      { collectionId, format: 'curl', environment: null },
    ],
    becomes: { collectionId, path: '', format: 'curl', environment: null },
    filled: [
      [
        { collectionId, format: 'curl', environment: least },
        { collectionId, path: '', format: 'curl', environment: { ...least, privateNames: [] } },
      ],
    ],
    takes: { ...ids, ...paths, format: ['curl', 'postman', 'openapi', 'har', 'httpyac'] },
    refuses: {
      ...noIds,
      ...noPaths,
      format: ['zip', 'constructor'],
      environment: [
        { ...least, variables: { a: 1 } },
        { ...least, privateNames: 'pin' },
      ],
    },
    answers: [
      {
        name: 'Payouts',
        files: [{ path: 'Payouts.sh', base64: 'AA==' }],
        requests: 1,
        notes: [{ where: 'One', what: 'Its pause is left out.' }],
      },
    ],
    says: ['collections.not_open'],
  },
});

const text = { kind: 'text' as const, name: 'pasted', text: 'curl x' };
const into = { kind: 'collection' as const, collectionId };
const files = (count: number) => ({
  kind: 'files',
  name: 'bruno',
  files: Array.from({ length: count }, () => ({ path: 'a', text: '' })),
});

checkMethods(importMethods, {
  'imports.run': {
    calls: [
      { source: text, target: into },
      {
        source: { kind: 'path', path: '/home/ann/one.har' },
        format: 'har',
        target: { kind: 'new', name: 'Payouts' },
        isPreview: true,
      },
      {
        source: { kind: 'files', name: 'bruno', files: [{ path: 'bruno.json', text: '{}' }] },
        target: { kind: 'directory', directory: '/home/ann/payouts' },
      },
    ],
    // Who asks for a preview says so.
    becomes: { source: text, format: 'auto', target: into, isPreview: false },
    takes: {
      source: [
        { ...text, name: long(300) },
        { ...text, text: long(48 * MIB) },
        { kind: 'path', path: long(4096) },
        { kind: 'files', name: long(300), files: [{ path: long(4096), text: long(48 * MIB) }] },
        files(0),
        files(20_000),
      ],
      format: ['auto', 'curl', 'postman', 'openapi', 'bruno', 'insomnia', 'har'],
      target: [
        { kind: 'collection', collectionId: long(40) },
        { kind: 'new', name: 'a' },
        { kind: 'new', name: long(200) },
        { kind: 'directory', directory: long(4096) },
      ],
    },
    refuses: {
      source: [
        { ...text, name: long(301) },
        { ...text, text: long(48 * MIB + 1) },
        { kind: 'text', name: 'pasted' },
        { kind: 'text', text: 'curl x' },
        { kind: 'path', path: long(4097) },
        { kind: 'path' },
        { kind: 'files', name: long(301), files: [] },
        { kind: 'files', name: '', files: [{ path: long(4097), text: '' }] },
        { kind: 'files', name: '', files: [{ path: '', text: long(48 * MIB + 1) }] },
        { kind: 'files', name: '', files: [{ path: '' }] },
        { kind: 'files', name: '' },
        files(20_001),
        { kind: 'url', url: 'https://a.test' },
      ],
      format: ['zip', 'constructor'],
      target: [
        { kind: 'collection', collectionId: '' },
        { kind: 'collection' },
        { kind: 'new', name: '' },
        { kind: 'new', name: long(201) },
        { kind: 'new' },
        { kind: 'directory', directory: long(4097) },
        { kind: 'directory' },
        { kind: 'cloud' },
      ],
    },
    answers: [
      {
        format: 'curl',
        name: 'Payouts',
        requests: 1,
        folders: 0,
        environments: 0,
        ownEnvironments: ['staging'],
        files: ['One.http'],
        addresses: ['https://pay.example'],
        collectionId,
        notes: [{ where: 'One', what: 'Its key was dropped.' }],
      },
      {
        format: 'har',
        name: null,
        requests: 0,
        folders: 0,
        environments: 0,
        ownEnvironments: [],
        files: [],
        addresses: [],
        collectionId: null,
        notes: [],
      },
    ],
    withholds: { format: ['auto'] },
    says: ['import.nothing_found', 'collections.not_open'],
  },
});
