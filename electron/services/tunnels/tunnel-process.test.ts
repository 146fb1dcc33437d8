import { describe, expect, it } from 'vitest';
import { planTunnel } from './tunnel-kinds';
import { startTunnelProcess } from './tunnel-process';

const target = { port: 4020, isHttps: false };
/** Runs a program of the user's. @returns the address that it gave first, or how it ended */
async function run(script: string): Promise<string> {
  const command = `"${process.execPath}" -e "${script}"`;
  const plan = planTunnel({ kind: 'cmd', command }, target, '');
  let tell: (url: string) => void = () => undefined;
  const found = new Promise<string>((resolve) => (tell = resolve));
  const child = startTunnelProcess(plan, target, tell);
  const first = await Promise.race([found, child.ended]);
  await child.stop();
  return first;
}

describe('a line that is not ended', () => {
  it('has the address that a command prints alone, and stays', async () => {
    const script = "process.stdout.write('https://hooks.example.test/a'); setTimeout(() => 0, 60_000)";
    expect(await run(script)).toBe('https://hooks.example.test/a');
  });

  it('says why a command ended', async () => {
    expect(await run("process.stderr.write('no such tunnel'); process.exitCode = 3")).toBe(
      'it ended with exit code 3: no such tunnel',
    );
  });

  it('is one with what follows it soon, signs of several bytes included', async () => {
    const script =
      "const b = Buffer.from('https://x.test/\u00fcber\\\\n'); process.stdout.write(b.subarray(0, 16)); " +
      'setTimeout(() => process.stdout.write(b.subarray(16)), 100); setTimeout(() => 0, 60_000)';
    expect(await run(script)).toBe('https://x.test/\u00fcber');
  });
});
