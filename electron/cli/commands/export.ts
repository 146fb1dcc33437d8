import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { MethodOutput } from '@shared/contract/contract';
import { countOf } from '@shared/count-of';
import { AppError } from '@shared/errors';
import { exportFormatNames, exportFormats, type ExportFormat } from '@shared/export/export-formats';
import { defineCommand, type CommandContext } from '../command';
import { openServices, withServices } from '../open-services';
import { finishHalfImports } from '../session';
import { usageError } from '../usage-error';
import { makeOutputFolder, writeOutput } from '../write-output';
import { findStats } from '../../platform/files/files';
import { describeAbsence } from '../../platform/files/read-faults';
import { groupNotes } from '@shared/group-notes';
import { listSome } from '@shared/list-some';

type Exported = MethodOutput<'collections.export'>;

export const command = defineCommand({
  usage: `export DIR --format ${exportFormatNames.join('|')} [--out FILE|DIR] [--env NAME]`,
  summary: 'Write a collection for another tool; no secret is ever in it.',
  notes: [
    'Without --out it goes to stdout; httpyac is a folder and needs --out. What is not taken along is said on stderr.',
  ],
  options: {
    format: {
      placeholder: 'NAME',
      help: 'Form',
      choices: exportFormatNames,
      isRequired: true,
    },
    out: { placeholder: 'FILE|DIR', help: 'Write it here instead of stdout' },
    env: {
      placeholder: 'NAME',
      help: 'Environment of the collection whose values stand in it',
    },
    force: { type: 'flag', help: 'Replace files that exist' },
  },
  positionals: [{ name: 'DIR', isRequired: true, help: 'Folder of the collection, or one request file' }],
  async run(context, values, [place = '']) {
    const format = values.format as ExportFormat;
    const { out } = values;
    if (out === undefined && exportFormats[format].isFolder) {
      throw usageError(`--out DIR is missing: ${format} is a folder of files.`);
    }
    const from = resolve(place);
    // Opening the folder ends an import as well, but none into a folder above, and says so to the app alone.
    await finishHalfImports(context, findStats(from)?.isDirectory() === true ? from : dirname(from));
    const exported = await readExport(from, format, values.env);
    if (out === undefined) printFile(exported);
    const files = out === undefined ? [] : await writeFiles(exported, format, out, values.force);
    if (context.isJson && out !== undefined) {
      context.printJson({ format, requests: exported.requests, files, notes: exported.notes });
    } else reportNotes(context, exported);
    return 0;
  },
});

async function readExport(place: string, format: ExportFormat, env: string | undefined): Promise<Exported> {
  const stats = findStats(place);
  if (stats === undefined) throw usageError(`DIR: ${describeAbsence(place, 'folder')}.`);
  const directory = stats.isDirectory() ? place : dirname(place);
  const services = openServices('none', { collectionDirectory: directory });
  return withServices(services, async ({ router: { call } }) => {
    const { id: collectionId } = await call('collections.open', { directory });
    const { environments, faults = [] } = await call('environments.list', {});
    const environment = environments.find(({ name, source }) => name === env && source === 'collection');
    const unread = faults.filter(({ remarkOn }) => remarkOn === undefined).map(({ message }) => message);
    if (env !== undefined && environment === undefined) throw refuseEnvironment(environments, env, unread);
    const exported = await call('collections.export', {
      collectionId,
      path: stats.isDirectory() ? '' : basename(place),
      format,
      environment: environment ?? null,
    });
    const notes = unread.map((what) => ({
      where: exported.name,
      what: `Its environments are left out: ${what}`,
    }));
    return { ...exported, notes: [...exported.notes, ...notes] };
  });
}

function refuseEnvironment(
  environments: MethodOutput<'environments.list'>['environments'],
  env: string,
  unread: readonly string[],
): AppError {
  const names = environments.filter(({ source }) => source === 'collection').map(({ name }) => name);
  return new AppError(
    'environments.unknown',
    `The collection has no environment '${env.slice(0, 80)}'${names.length === 0 ? '' : `, but ${listSome(names)}`}.${unread.map((one) => ` ${one}`).join('')}`,
  );
}

/** Bytes as they are: what is written holds nothing that a terminal would act on. */
function printFile({ files }: Exported): void {
  for (const { base64 } of files) process.stdout.write(Buffer.from(base64, 'base64'));
}

function reportNotes(context: CommandContext, { notes }: Exported): void {
  for (const { where, what } of groupNotes(notes)) context.say(`${where}: ${what}`);
}

async function writeFiles(
  { name, files }: Exported,
  format: ExportFormat,
  out: string,
  isForced: boolean,
): Promise<string[]> {
  const { isFolder, extension } = exportFormats[format];
  const isDirectory = findStats(out)?.isDirectory() === true;
  if (isFolder && !isForced && holdsAny(out)) {
    throw new AppError(
      'cli.file_exists',
      `--out: ${out} is not empty. Add --force to write into it, or name another folder.`,
    );
  }
  const written: string[] = [];
  for (const { path, base64 } of files) {
    const file = isFolder ? join(out, path) : isDirectory ? join(out, `${name}.${extension}`) : out;
    try {
      if (isFolder) makeOutputFolder(dirname(file), '--out');
      await writeOutput(file, Buffer.from(base64, 'base64'), {
        flag: '--out',
        mode: format === 'curl' ? 0o755 : 0o644,
        isForced: isForced || isEmptyFile(file),
      });
    } catch (error) {
      const isBegun = written.length > 0 || (isFolder && holdsAny(out));
      throw describePart(error, written.length, files.length, isBegun);
    }
    written.push(isFolder ? path : file);
  }
  return written;
}

const holdsAny = (folder: string): boolean =>
  findStats(folder)?.isDirectory() === true && readdirSync(folder).length > 0;

/** Says of a folder that is not whole what stands in it already. */
function describePart(error: unknown, count: number, all: number, isBegun: boolean): unknown {
  if (!(error instanceof AppError) || !isBegun) return error;
  const what = `${count} of ${countOf(all, 'file')} ${count === 1 ? 'is' : 'are'} written there, and the rest is not: export again with --force.`;
  return new AppError(error.code, `${error.message} ${what}`, { cause: error });
}

/** As `mktemp` makes them: there is nothing in it to lose. */
function isEmptyFile(file: string): boolean {
  const stats = existsSync(file) ? statSync(file) : null;
  return stats?.isFile() === true && stats.size === 0;
}
