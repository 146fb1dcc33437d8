import type { TreeNode } from '@shared/contract/collections';
import { describe, expect, it } from 'vitest';
import { buildBranches, listExpanded } from './requests-selectors';

const node = (path: string, kind: TreeNode['kind'], depth: number): TreeNode => ({
  path,
  name: path,
  kind,
  depth,
  method: null,
  operation: null,
  fault: null,
  requestCount: 0,
});

describe('buildBranches', () => {
  it('builds the tree from nodes in depth-first order', () => {
    const shape = (branches: ReturnType<typeof buildBranches>): unknown =>
      branches.map(({ id, children }) => (children ? [id, shape(children)] : id));
    const nodes = [
      node('A', 'folder', 0),
      node('A/B', 'folder', 1),
      node('A/B/x', 'request', 2),
      node('A/y', 'request', 1),
      node('E', 'folder', 0),
      node('z', 'request', 0),
    ];
    expect(shape(buildBranches(nodes))).toEqual([['A', [['A/B', ['A/B/x']], 'A/y']], ['E', []], 'z']);
  });

  it('keeps new folders open', () => {
    const nodes = [node('A', 'folder', 0), node('B', 'folder', 0)];
    expect(listExpanded({ nodes, collapsed: new Set(['A']) })).toEqual(new Set(['B']));
  });
});
