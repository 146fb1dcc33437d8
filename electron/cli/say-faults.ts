import { createHash } from 'node:crypto';
import type { MethodOutput } from '@shared/contract/contract';
import { readTextList } from '@shared/json/is-record';
import type { HostPorts } from '../platform/ports';
import type { CommandContext } from './command';

const KEY = 'saidRemarks';
/** So many collections' files are remembered, the latest last. */
const MOST_SAID = 200;

type Fault = NonNullable<MethodOutput<'environments.list'>['faults']>[number];
type RemarkPorts = Pick<HostPorts, 'dataDirectory' | 'given' | 'openSettings'>;

/**
 * Says what is not read of the files of environments: what they would have given may be what is missing next.
 *
 * A fault is said each time. A remark on a file that is sound is said once for each version of it, to people; with `--json`,
 * and where nothing is kept, each time.
 */
export async function sayFaults(
  context: CommandContext,
  { faults = [] }: Pick<MethodOutput<'environments.list'>, 'faults'>,
  ports: RemarkPorts,
): Promise<void> {
  const isKept = !context.isJson && ports.dataDirectory !== null;
  const news = isKept && faults.some(isRemark) ? await findNews(faults, ports) : null;
  for (const fault of faults) {
    if (news === null || !isRemark(fault) || news.has(fault)) context.say(fault.message);
  }
}

const isRemark = ({ remarkOn }: Fault): boolean => remarkOn !== undefined;

/** The remarks that were not said before; they count as said from now on. */
async function findNews(faults: readonly Fault[], { given, openSettings }: RemarkPorts): Promise<Set<Fault>> {
  const settings = await openSettings();
  const said = readTextList(settings.get(KEY));
  const nameOf = ({ collectionId, file, remarkOn = '' }: Fault): string =>
    createHash('sha256')
      .update(JSON.stringify([given.collectionDirectory ?? collectionId, file, remarkOn]))
      .digest('hex');
  const news = faults.filter((fault) => isRemark(fault) && !said.includes(nameOf(fault)));
  if (news.length > 0) settings.set(KEY, [...said, ...news.map(nameOf)].slice(-MOST_SAID));
  return new Set(news);
}
