import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { minimatch } from 'minimatch';
import { parse } from 'yaml';
// @ts-expect-error -- a script without types
import { beforePack as hook } from '../../scripts/require-native-part.mjs';

const beforePack = hook as (
  context: { electronPlatformName: string; arch: number },
  native: object,
  isThere: (path: string) => boolean,
) => void;

const root = join(import.meta.dirname, '../..');
const metadata = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Record<string, unknown>;
const configuration = parse(readFileSync(join(root, 'electron-builder.yml'), 'utf8')) as {
  linux: { icon: string };
  deb: { depends: string[] };
  mac: { x64ArchFiles: string };
  toolsets: { appimage: string };
  beforePack: string;
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

/** What only a system that is not at hand would show. */
describe('the packages of other systems', () => {
  const native = Object.fromEntries(
    Object.entries(
      (
        JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
          packages: Record<string, { os: string[]; cpu: string[]; version: string }>;
        }
      ).packages,
    ).filter(([path]) => path.startsWith('node_modules/@libsql/')),
  );
  const [x64, armv7l, arm64] = [1, 2, 3];

  it('are not made without the native part of theirs: each would die at its start', () => {
    expect(configuration.beforePack).toBe('scripts/require-native-part.mjs');
    const pack = (electronPlatformName: string, arch: number, installed: string[]) => () =>
      beforePack({ electronPlatformName, arch }, native, (path: string) => installed.includes(path));
    expect(pack('darwin', arm64, ['node_modules/@libsql/darwin-x64'])).toThrow(
      /^The native part for darwin on arm64 is not installed: npm install --no-save --force @libsql\/darwin-arm64@\d/,
    );
    expect(pack('darwin', arm64, ['node_modules/@libsql/darwin-arm64'])).not.toThrow();
    expect(pack('win32', x64, [])).toThrow('@libsql/win32-x64-msvc@');
    expect(pack('win32', arm64, [])).toThrow('libsql has no native part for win32 on arm64.');
    // None of ours runs on musl: what is for that is not asked for.
    expect(pack('linux', x64, ['node_modules/@libsql/linux-x64-gnu'])).not.toThrow();
    expect(pack('linux', armv7l, ['node_modules/@libsql/linux-arm-gnueabihf'])).not.toThrow();
  });

  it('join the two halves of a universal app of macOS: both bring both native parts as they are', () => {
    const parts = Object.keys(native).filter((path) => path.includes('darwin'));
    expect(parts).toHaveLength(2);
    for (const part of parts) {
      const inside = `Contents/Resources/app.asar.unpacked/${part}/index.node`;
      // As @electron/universal asks.
      expect(minimatch(inside, configuration.mac.x64ArchFiles, { matchBase: true })).toBe(true);
    }
    expect(minimatch('Contents/MacOS/Countersign', configuration.mac.x64ArchFiles, { matchBase: true })).toBe(
      false,
    );
  });
});

it('an AppImage is made with tools that start it within Chromium’s sandbox, and without FUSE 2', () => {
  // Those of the first set write --no-sandbox into its desktop entry.
  expect(configuration.toolsets.appimage).not.toBe('0.0.0');
});
