import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const metadata = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
const configuration = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as {
  linux: { icon: string };
  deb: { depends: string[] };
};

/** What electron-builder asks for only when it comes to an installer, after minutes. */
describe('the packages of Linux', () => {
  it('have a homepage and the name of their desktop entry', () => {
    expect(metadata).toMatchObject({
      homepage: expect.stringMatching(/^https:\/\//) as unknown,
      desktopName: 'countersign.desktop',
    });
  });

  it('depend on what the program is linked to on a system that has nothing else', () => {
    expect(configuration.deb.depends).toEqual(
      expect.arrayContaining(['libgtk-3-0', 'libgbm1', 'libasound2', 'libnss3']),
    );
  });

  it('bring the icon in the sizes that their names say', () => {
    const folder = join(root, configuration.linux.icon);
    const sizes = readdirSync(folder).map((name) => {
      const picture = readFileSync(join(folder, name));
      // The first part of a PNG: width and height stand behind its signature, length and name.
      return [name, `${picture.readUInt32BE(16)}x${picture.readUInt32BE(20)}.png`];
    });
    expect(sizes.length).toBeGreaterThanOrEqual(8);
    for (const [name, drawn] of sizes) expect(name).toBe(drawn);
  });
});
