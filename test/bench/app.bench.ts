import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { listFirstScripts } from '../support/loaded-scripts';
import { openWebClient } from '../support/web-client';
import type { BenchResult } from './bench-result';
import { readReadyLine } from '../support/run-cli';

const FOLDERS = 60;
const REQUESTS_A_FOLDER = 50;
const LISTINGS = 5;
const STARTS = 11;
/** The app has done all it does by itself, and collected the garbage of its start. */
const IDLE_MS = 30_000;
const MEGABYTE = 1024 * 1024;

/** Measures the app without a window: memory at rest, a large collection, what the page loads first, `listen`'s start. */
export async function run(): Promise<BenchResult[]> {
  return [measureFirstScript(), await measureListenStart(), ...(await measureApp())];
}

/** The scripts that the page names, the first view's, and what they import at once; what comes on demand is left out. */
function measureFirstScript(): BenchResult {
  const weigh = (file: string): number => gzipSync(readFileSync(file)).length;
  const { frame, view } = listFirstScripts();
  const shellBytes = sum(frame.map(weigh));
  const bytes = shellBytes + sum(view.map(weigh));
  return {
    name: 'renderer: JavaScript before the first view (kB gzip)',
    ratio: bytes / 1000,
    budget: 250,
    higherIsBetter: false,
    figures: { files: frame.length + view.length, bytes, shellBytes },
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0);
}

async function measureListenStart(): Promise<BenchResult> {
  const yardsticks: number[] = [];
  const starts: number[] = [];
  for (let round = 0; round < STARTS; round++) {
    const data = mkdtempSync(join(tmpdir(), 'countersign-bench-listen-'));
    const beganAt = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'exit');
    yardsticks.push(performance.now() - beganAt);
    const startedAt = performance.now();
    const { child, url } = await startCli(['listen', '--json', '--port', '0', '--data', data]);
    await once(get(url), 'response');
    starts.push(performance.now() - startedAt);
    await end(child, data);
  }
  return {
    name: 'listen: start to first answer against node -e 0',
    ratio: middle(starts) / middle(yardsticks),
    budget: 2,
    stretch: 1.5,
    higherIsBetter: false,
    figures: {
      startMs: middle(starts),
      nodeMs: middle(yardsticks),
      fastestRatio: Math.min(...starts) / Math.min(...yardsticks),
    },
  };
}

async function measureApp(): Promise<BenchResult[]> {
  const data = mkdtempSync(join(tmpdir(), 'countersign-bench-app-'));
  const { child, url } = await startCli(['app', '--no-open', '--json', '--port', '0', '--data', data]);
  try {
    await new Promise((done) => setTimeout(done, IDLE_MS));
    const idleBytes = readResidentBytes(child.pid!);
    const client = await openWebClient(url);
    const directory = join(data, 'many');
    writeCollection(directory);
    const times: number[] = [];
    const cpuBefore = readCpuMs(child.pid!);
    let firstCpuMs = 0;
    let count = 0;
    const openedAt = performance.now();
    const opened = await client.call('collections.open', { directory });
    const { id: collectionId } = (opened as { value: { id: string } }).value;
    for (let round = 0; round < LISTINGS; round++) {
      const startedAt = round === 0 ? openedAt : performance.now();
      const { value } = (await client.call('collections.tree', { collectionId })) as unknown as {
        value: { nodes: { kind: string }[] };
      };
      times.push(performance.now() - startedAt);
      if (round === 0) firstCpuMs = readCpuMs(child.pid!) - cpuBefore;
      count = value.nodes.filter(({ kind }) => kind === 'request').length;
    }
    if (count !== FOLDERS * REQUESTS_A_FOLDER) throw new Error(`Only ${count} requests were listed.`);
    return [describeMemory(idleBytes), describeListing(times, firstCpuMs, count)];
  } finally {
    await end(child, data);
  }
}

function describeMemory(idleBytes: number): BenchResult {
  return {
    name: 'app: resident memory at rest, without a window (MB)',
    ratio: idleBytes / MEGABYTE,
    budget: 90,
    stretch: 70,
    higherIsBetter: false,
    figures: { idleBytes },
  };
}

/** The first time a folder is opened, and every file read; the later ones are what a change of one file costs. */
function describeListing(times: readonly number[], firstCpuMs: number, requests: number): BenchResult {
  return {
    name: 'collections: 3,000 requests, from opening to listed (ms)',
    ratio: times[0]!,
    budget: 1000,
    stretch: 300,
    higherIsBetter: false,
    figures: { requests, firstCpuMs, laterMs: middle(times.slice(1)) },
  };
}

function writeCollection(directory: string): void {
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = join(directory, `folder ${folder}`);
    mkdirSync(path, { recursive: true });
    for (let request = 0; request < REQUESTS_A_FOLDER; request++) {
      const text = `# @name Payout ${folder}-${request}\n# @operation payout\nPOST {{base_url}}/payments/v1/payouts\nAuthorization: Bearer {{token.payout}}\nX-Custom-Signature: {{signature}}\nContent-Type: application/json\n\n{\n  "transaction": { "reference": "{{$uuid}}", "amount": ${request}, "service_code": "MPESA-B2C" },\n  "originator": { "country": "KE" }\n}\n`;
      writeFileSync(join(path, `payout-${request}.http`), text);
    }
  }
}

async function startCli(args: readonly string[]): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [resolve('out/cli/index.js'), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return { child, url: (await readReadyLine<{ url: string }>(child.stdout!)).url };
}

async function end(child: ChildProcess, data: string): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
  rmSync(data, { recursive: true, force: true });
}

function readResidentBytes(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** Processor time of all threads so far; on a busy machine the clock on the wall says little. */
function readCpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
