import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { indexJson, sourceOf } from '../json/json-index';
import { findNodes } from './find-nodes';
import { parsePath } from './parse-path';

interface Case {
  name: string;
  selector: string;
  document?: unknown;
  result?: unknown[];
  results?: unknown[][];
  invalid_selector?: true;
}

const { tests } = JSON.parse(
  readFileSync(new URL('../../test/fixtures/json-path/cts.json', import.meta.url), 'utf8'),
) as { tests: Case[] };

/** What is typed into a field may stand between blanks, and a way may be written without `$`, or be a pointer. */
const isKindness = ({ selector }: Case): boolean => selector.trim() !== selector || !selector.startsWith('$');

function answer({ selector, document }: Case): unknown {
  const index = indexJson(JSON.stringify(document ?? null));
  return findNodes(index, parsePath(selector)).nodes.map(
    (node) => JSON.parse(sourceOf(index, node)) as unknown,
  );
}

// @source RFC 9535, its public compliance test suite
describe('JSONPath, by its compliance test suite', () => {
  it('finds what each valid path means', () => {
    const valid = tests.filter((one) => one.invalid_selector !== true);
    expect(valid.length).toBeGreaterThan(400);
    const wrong = valid.filter((one) => {
      const wanted = (one.results ?? [one.result]).map((result) => JSON.stringify(result));
      return !wanted.includes(JSON.stringify(attempt(one)));
    });
    expect(wrong.map((one) => ({ ...one, found: attempt(one) }))).toEqual([]);
  });

  it('refuses each invalid path', () => {
    const invalid = tests.filter((one) => one.invalid_selector === true && !isKindness(one));
    expect(invalid.length).toBeGreaterThan(200);
    expect(invalid.filter((one) => attempt(one) !== 'json.bad_path').map(({ name }) => name)).toEqual([]);
  });
});

function attempt(one: Case): unknown {
  try {
    return answer(one);
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}
