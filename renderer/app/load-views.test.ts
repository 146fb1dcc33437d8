import { describe, expect, it } from 'vitest';
import { views } from '../session/views';

const files = Object.keys(import.meta.glob('../features/*/*-view.tsx'));

describe('views', () => {
  it('have a file each, and each file a row in the table', () => {
    expect(files.sort()).toEqual(views.map(({ id }) => `../features/${id}/${id}-view.tsx`).sort());
  });
});
