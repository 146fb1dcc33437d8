import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../../test/support/temporary';
import { readGitIndex } from './read-git-index';
import { readGitState } from './read-git-state';

let folder: string;
const paths = ['a.http', 'f/b.http', 'f/c.http'];
const git = (...args: string[]): void =>
  void execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
    stdio: 'ignore',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
  });
const readStates = async (directory = folder, wanted = paths) => {
  const { branch, files } = await readGitState(directory, wanted, new Map());
  return { branch, ...Object.fromEntries(files.map(({ path, state }) => [path, state])) };
};
const hasGit = (() => {
  try {
    execFileSync('git', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

beforeEach(() => {
  folder = makeTemporaryFolder('git');
  mkdirSync(join(folder, 'f'));
  for (const path of paths) writeFileSync(join(folder, path), `GET http://${path}\n`);
});

describe.skipIf(!hasGit)('the git state of a collection', () => {
  const commit = (...options: string[]): void => {
    git('init', '-q', '-b', 'feature/näxt', ...options);
    git('add', 'a.http', 'f/b.http');
    git('commit', '-qm', 'x');
  };

  it.each([
    ['as usual', []],
    ['with SHA-256', ['--object-format=sha256']],
  ])('names branch, new and changed files, %s', async (_, options) => {
    commit(...options);
    expect(await readStates()).toEqual({ branch: 'feature/näxt', 'f/c.http': 'new' });
    appendFileSync(join(folder, 'a.http'), '# more\n');
    expect(await readStates()).toMatchObject({ 'a.http': 'changed', 'f/c.http': 'new' });
  });

  it('takes no hash of SHA-256 for a shorter one and a name', async () => {
    git('init', '-q', '--object-format=sha256');
    mkdirSync(join(folder, 'req'));
    const names = ['req/A.http', 'req/B.http', 'req/collection.json'];
    for (const name of names) writeFileSync(join(folder, name), '');
    git('add', 'req');
    const index = readFileSync(join(folder, '.git', 'index'));
    expect([...((await readGitIndex(index, () => true)) ?? new Map()).keys()]).toEqual(names);
  });

  it('calls everything new before anything was staged', async () => {
    git('init', '-q', '-b', 'main');
    expect(await readStates()).toEqual({
      branch: 'main',
      'a.http': 'new',
      'f/b.http': 'new',
      'f/c.http': 'new',
    });
  });

  it('reads an index of version 4, of the folder above, and looks at the content where only times differ', async () => {
    commit();
    git('update-index', '--index-version', '4');
    for (const path of paths) utimesSync(join(folder, path), 1, 1);
    expect(await readStates()).toEqual({ branch: 'feature/näxt', 'f/c.http': 'new' });
    expect(await readStates(join(folder, 'f'), ['b.http', 'c.http'])).toEqual({
      branch: 'feature/näxt',
      'c.http': 'new',
    });
  });

  it('says nothing of files where most of the index stands in another file, and of no branch that it cannot read', async () => {
    commit();
    git('update-index', '--split-index');
    expect(await readStates()).toEqual({ branch: 'feature/näxt' });
    writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/.invalid\n');
    expect(await readStates()).toEqual({ branch: null });
  });

  it('sees a change that leaves size and time as they were, right after the commit', async () => {
    commit();
    const text = readFileSync(join(folder, 'a.http'), 'utf8');
    writeFileSync(join(folder, 'a.http'), text.replace('GET', 'PUT'));
    expect(await readStates()).toMatchObject({ 'a.http': 'changed' });
  });

  it('shows a file whose line ends alone git has turned as it is', async () => {
    commit();
    writeFileSync(join(folder, 'a.http'), 'GET http://a.http\r\n');
    expect(await readStates()).not.toHaveProperty('a.http');
  });

  it('names the commit where no branch is checked out, and reads a worktree', async () => {
    commit();
    const other = `${folder}-worktree`;
    git('worktree', 'add', '--detach', '-q', other);
    const state = await readStates(other, ['a.http', 'f/b.http']);
    expect(state).toEqual({ branch: expect.stringMatching(/^[0-9a-f]{8}$/) });
  });

  it('tells nothing of files in a repository within it, a submodule: they are committed there', async () => {
    commit();
    for (const path of ['sub/f/d.http', 'e.http']) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), 'GET http://x\n');
    }
    writeFileSync(join(folder, 'sub', '.git'), 'gitdir: ../.git/modules/sub\n');
    expect(await readStates(folder, ['a.http', 'e.http', 'sub/f/d.http'])).toEqual({
      branch: 'feature/näxt',
      'e.http': 'new',
    });
  });

  it('runs nothing that the repository configures', async () => {
    commit();
    const mark = join(folder, 'ran');
    writeFileSync(join(folder, '.gitattributes'), '*.http filter=evil\n');
    appendFileSync(
      join(folder, '.git', 'config'),
      `[core]\n\tfsmonitor = "touch ${mark}"\n\thooksPath = ${folder}\n[filter "evil"]\n\tclean = touch ${mark}\n`,
    );
    appendFileSync(join(folder, 'a.http'), '# more\n');
    expect(await readStates()).toMatchObject({ 'a.http': 'changed' });
    expect(existsSync(mark)).toBe(false);
  });

  it('understands no index whose names no system could have, and does not copy them for it', async () => {
    const entry = (name: string, length: number): Buffer => {
      const head = Buffer.alloc(63);
      head.writeUInt16BE(Math.min(length, 0xfff), 60);
      return Buffer.concat([head, Buffer.from(`${name}\0`)]);
    };
    const makeIndex = (longest: number, count: number): Buffer => {
      const head = Buffer.from(`DIRC\0\0\0\x04....`);
      head.writeUInt32BE(count + 1, 8);
      const others = Array.from({ length: count }, (_, at) => entry('b', longest + at + 1));
      return Buffer.concat([head, entry('a'.repeat(longest), longest), ...others, Buffer.alloc(20)]);
    };
    const names: string[] = [];
    const collect = (name: string): boolean => names.push(name) > 0;
    expect((await readGitIndex(makeIndex(4000, 2), collect))?.size).toBe(3);
    expect(names.at(-1)).toBe(`${'a'.repeat(4000)}bb`);
    names.length = 0;
    expect(await readGitIndex(makeIndex(4090, 2000), collect)).toBeNull();
    expect(names).toHaveLength(7);
  });

  it('understands no part of an index that is cut short, wherever it ends', async () => {
    commit();
    const index = readFileSync(join(folder, '.git', 'index'));
    for (let end = 0; end < index.length; end++) {
      const entries = await readGitIndex(index.subarray(0, end), () => true);
      if (entries !== null) expect([...entries.keys()]).toEqual(['a.http', 'f/b.http']);
    }
    for (let at = 0; at < index.length; at++) {
      const damaged = Buffer.from(index);
      damaged[at] = 0xff;
      await readGitIndex(damaged, () => true);
    }
  });
});

describe('without a repository that is understood', () => {
  it('there is nothing to show', async () => {
    expect(await readStates(folder)).toEqual({ branch: null });
    const attacks: ((dotGit: string) => void)[] = [
      (dotGit) => writeFileSync(dotGit, 'gitdir: /no/such/folder\n'),
      (dotGit) => symlinkSync('/dev/zero', dotGit),
      (dotGit) => {
        mkdirSync(dotGit);
        symlinkSync('/dev/zero', join(dotGit, 'HEAD'));
      },
    ];
    for (const [index, attack] of attacks.entries()) {
      const hostile = join(folder, `hostile ${index}`);
      mkdirSync(hostile);
      attack(join(hostile, '.git'));
      expect(await readStates(hostile)).toEqual({ branch: null });
    }
  });
});
