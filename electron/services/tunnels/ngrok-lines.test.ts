import { describe, expect, it } from 'vitest';
import { NgrokFailures } from './ngrok-lines';
import { countProcessorMs } from '../../../test/support/processor-time';

/** Made up; real ones stood there in the recorded lines. */
const TOKEN = '1aaBB2ccDD3eeFF4ggHH5iiJJ6kk_7LLmmNN8ooPPqqRR9~';

function read(...lines: string[]): string | null {
  const failures = new NgrokFailures();
  for (const line of lines) failures.take(line);
  return failures.read();
}

const noProperToken =
  String.raw`The authtoken you specified does not look like a proper ngrok tunnel authtoken.\nYour authtoken: ${TOKEN}\n` +
  String.raw`Instructions to install your authtoken are on your ngrok dashboard:\nhttps://dashboard.ngrok.com/get-started/your-authtoken\r\n\r\nERR_NGROK_105\r\n`;

// Lines as users of ngrok 2 and 3 have published them in issues, from 2020 to 2025; tokens and addresses changed.
describe('an authtoken that is none', () => {
  it.each([
    // 2021, ngrok 2, logfmt: three lines say the same
    `t=2021-09-24T23:20:55-0400 lvl=eror msg="failed to auth" obj=tunnels.session err="${noProperToken}"`,
    `t=2021-09-24T23:20:55-0400 lvl=eror msg="failed to reconnect session" obj=csess id=2cfdcaa56b9f err="${noProperToken}"`,
    `t=2021-09-24T23:20:55-0400 lvl=eror msg="session closing" obj=tunnels.session err="${noProperToken}"`,
    // The same in the terminal's format
    `EROR[09-24|23:20:55] failed to auth                           obj=tunnels.session err="${noProperToken}"`,
    // ngrok 3, JSON as asked for
    `{"err":"authentication failed: ${noProperToken}","id":"b1a0e2ee4f5d","lvl":"eror","msg":"failed to auth","obj":"tunnels.session","t":"2025-02-10T08:00:00Z"}`,
    `{"t":"2025-02-10T08:00:00Z","lvl":"eror","msg":"failed to reconnect session","obj":"tunnels.session","err":"${noProperToken}"}`,
  ])('is told with what to do, and never itself: %s', (line) => {
    expect(read(line)).toBe(
      'The authtoken that ngrok was given is none: copy the authtoken from dashboard.ngrok.com and run: ' +
        'ngrok config add-authtoken TOKEN (ERR_NGROK_105).',
    );
  });
});

describe('other failures', () => {
  it.each([
    // 2020, ngrok 2: the network
    [
      't=2020-04-08T11:05:17-0400 lvl=eror msg="failed to reconnect session" obj=csess id=1c907e548f56 err="read tcp 192.0.2.4:48720->203.0.113.5:443: i/o timeout"',
      'ngrok does not reach its service (read tcp 192.0.2.4:48720->203.0.113.5:443: i/o timeout): look at the network, the proxy and the firewall.',
    ],
    // 2021: a proxy in between
    [
      't=2021-08-16T11:00:39+0900 lvl=eror msg="failed to reconnect session" obj=csess id=eeb66655d762 err="x509: certificate signed by unknown authority"',
      "Something on the way to ngrok shows a certificate of its own (x509: certificate signed by unknown authority): set root_cas: host in ngrok's configuration.",
    ],
    // 2022: said as a warning
    [
      String.raw`t=2022-05-28T06:19:06+0000 lvl=warn msg="failed to start tunnel" pg=/api/tunnels id=da18dfbbf5b91f28 err="TCP tunnels are only available after you sign up.\nSign up at: https://dashboard.ngrok.com/signup\r\n\r\nERR_NGROK_302\r\n"`,
      'ngrok refuses: TCP tunnels are only available after you sign up (ERR_NGROK_302): see ngrok.com/docs/errors/err_ngrok_302.',
    ],
    // 2024, ngrok 3
    [
      String.raw`{"lvl":"eror","msg":"failed to auth","err":"authentication failed: Usage of ngrok requires a verified account and authtoken.\n\nSign up for an account: https://dashboard.ngrok.com/signup\r\n\r\nERR_NGROK_4018\r\n"}`,
      'ngrok wants an account that is signed in: sign up there, copy the authtoken from dashboard.ngrok.com and run: ngrok config add-authtoken TOKEN (ERR_NGROK_4018).',
    ],
    [
      String.raw`t=2022-09-26T08:00:00+0000 lvl=eror msg="failed to auth" obj=tunnels.session err="Your account is limited to 1 simultaneous ngrok agent session.\nActive ngrok agent sessions in region 'us':\n  - ts_2F3Sx0 (203.0.113.9)\r\n\r\nERR_NGROK_108\r\n"`,
      'This account already has as many ngrok programs running as it may: end another one (ERR_NGROK_108).',
    ],
    [
      '{"lvl":"crit","msg":"command failed","err":"unknown flag: --log-formats"}',
      'ngrok says: unknown flag: --log-formats.',
    ],
  ])('%s', (line, said) => expect(read(line)).toBe(said));

  it('puts together what ngrok 3 prints in several lines when it ends', () => {
    // 2025
    expect(
      read(
        'ERROR:  authentication failed: Your agent has been blocked from connecting to ngrok because it has been suspected.',
        'ERROR:  ',
        'ERROR:  ERR_NGROK_8014',
        'ERROR:  https://ngrok.com/docs/errors/err_ngrok_8014',
        'ERROR:  ',
      ),
    ).toBe(
      'ngrok refuses: Your agent has been blocked from connecting to ngrok because it has been suspected (ERR_NGROK_8014): see ngrok.com/docs/errors/err_ngrok_8014.',
    );
    expect(read(`ERROR:  Invalid authtoken '${TOKEN}'`)).toBe("ngrok says: Invalid authtoken '…'.");
    expect(read(`ERROR:  Your authtoken: ${TOKEN}`, 'ERROR:  ERR_NGROK_107')).toContain('valid no more');
  });

  it.each([
    't=2020-04-08T11:05:12-0400 lvl=warn msg="failed to check for update" obj=updater err="Post https://update.example/check: context deadline exceeded"',
    'INFO[04-08|11:05:07] open config file                         path=/home/u/.ngrok2/ngrok.yml err=nil',
    '{"lvl":"info","msg":"client session established","obj":"csess","err":"<nil>"}',
    '{"lvl":"eror","err":{"a":1}}',
    '{"lvl":"eror","msg":"broken',
    'lvl=eror msg="no reason"',
  ])('are not found in: %s', (line) => expect(read(line)).toBeNull());

  it('are over with a tunnel that works', () => {
    const failures = new NgrokFailures();
    failures.take('lvl=eror msg="session closed, starting reconnect loop" err="read EOF from remote peer"');
    expect(failures.read()).toContain('does not reach its service');
    failures.forget();
    expect(failures.read()).toBeNull();
  });

  it('take no time to find in a line without end', () => {
    const processorMs = countProcessorMs();
    for (const part of [String.raw`\"`, 'err="', 'a ', '=', String.raw`\n`]) {
      read(
        `lvl=eror err="${part.repeat(100_000)}`,
        `EROR[1] ${part.repeat(100_000)}`,
        `ERROR: ${part.repeat(100_000)}`,
      );
    }
    expect(processorMs()).toBeLessThan(1000);
  });
});
