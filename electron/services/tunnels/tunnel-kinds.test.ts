import { describe, expect, it } from 'vitest';
import { hideCredentials, namesCredential, parseTunnelChoice, planTunnel } from './tunnel-kinds';

const find = (choice: string, line: string): readonly string[] =>
  planTunnel(parseTunnelChoice(choice), { port: 4020, isHttps: false }, 'tunnel.example').findUrls(line);

// Lines as users of these programs have published them in issues and guides; addresses changed where they were real names.
describe('cloudflared', () => {
  it.each([
    // 2019, argo: logrus without a terminal
    'time="2019-07-02T01:39:47Z" level=info msg="|    https://four-words-fx-tell.trycloudflare.com  |"',
    // 2020: logrus in a terminal
    'INFO[0002] | https://four-words-fx-tell.trycloudflare.com       |  connectionID=0',
    // 2021.6 and 2021.7: zerolog, 'Your free tunnel has started! Visit it:'
    '2021-07-15T20:11:32Z INF |    https://four-words-fx-tell.trycloudflare.com     |',
    // 2021.8 up to 2026: 'Your quick Tunnel has been created!'
    '2022-11-11T19:57:58Z INF |  https://four-words-fx-tell.trycloudflare.com                                     |',
    // --output json, or TUNNEL_LOG_OUTPUT=json in the environment
    '{"level":"info","time":"2025-02-10T08:00:00Z","message":"|  https://four-words-fx-tell.trycloudflare.com   |"}',
  ])('says its address: %s', (line) => {
    expect(find('cloudflared', line)).toEqual(['https://four-words-fx-tell.trycloudflare.com']);
  });

  it.each([
    '2022-01-29T09:49:15Z INF Requesting new quick Tunnel on trycloudflare.com...',
    'failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup api.trycloudflare.com: no such host',
    '2024-07-22T19:42:37Z INF Thank you for trying Cloudflare Tunnel. Doing so, without a Cloudflare account, is a quick way to experiment. If you intend to use Tunnels in production you should use a pre-created named tunnel by following: https://developers.cloudflare.com/cloudflare-one/connections/connect-apps',
    '2026-06-19T13:28:15Z INF Settings: map[ha-connections:1 no-autoupdate:true protocol:quic url:http://127.0.0.1:4020]',
    '2021-07-15T20:11:29Z INF Starting metrics server on 127.0.0.1:40095/metrics',
    'INFO[2020-11-17T18:31:21Z] cloudflared will not automatically update when run from the shell. To enable auto-updates, run cloudflared as a service: https://developers.cloudflare.com/argo-tunnel/reference/service/',
  ])('says none in: %s', (line) => expect(find('cloudflared', line)).toEqual([]));
});

describe('ngrok', () => {
  it.each([
    // 3, as asked for: JSON
    '{"addr":"http://localhost:4020","lvl":"info","msg":"started tunnel","name":"command_line","obj":"tunnels","t":"2026-09-30T02:40:01Z","url":"https://ab12-203-0-113-7.ngrok-free.app"}',
    // other order, the address as an object
    '{"t":"2026-09-12T20:25:17+0200","lvl":"info","msg":"started tunnel","obj":"tunnels","name":"command_line","addr":{"Scheme":"http","Host":"127.0.0.1:4020"},"url":"https://ab12-203-0-113-7.ngrok-free.app"}',
    // a wrapper in the PATH that sets another format: logfmt, with and without quotes, and the terminal's
    't=2023-05-30T09:06:27+0000 lvl=info msg="started tunnel" obj=tunnels name=command_line addr=http://localhost:4020 url=https://ab12-203-0-113-7.ngrok-free.app',
    't=2023-05-30T09:06:27+0000 lvl=info msg="started tunnel" obj=tunnels name=command_line addr=http://localhost:4020 url="https://ab12-203-0-113-7.ngrok-free.app"',
    'INFO[11-01|11:36:40] started tunnel                           obj=tunnels name=command_line addr=http://localhost:4020 url=https://ab12-203-0-113-7.ngrok-free.app',
  ])('says its address: %s', (line) => {
    expect(find('ngrok', line)).toEqual(['https://ab12-203-0-113-7.ngrok-free.app']);
  });

  it.each([
    // 2 opens two: the one without TLS is passed over
    '{"addr":"http://localhost:4020","lvl":"info","msg":"started tunnel","name":"command_line (http)","obj":"tunnels","t":"2020-01-15T10:00:00Z","url":"http://f5291e35.ngrok.io"}',
    '{"lvl":"info","msg":"starting web service","obj":"web","addr":"127.0.0.1:4040","allow_hosts":null}',
    '{"err":"authentication failed: see https://ngrok.com/docs/errors/err_ngrok_4018","lvl":"eror","msg":"failed to start tunnel","url":"https://ngrok.com/docs"}',
    '{"lvl":"info","msg":"update available","obj":"updater","url":"https://bin.equinox.io/c/x/ngrok.tgz"}',
    't=2024-09-07T00:05:31+0000 lvl=info msg="started tunnel" obj=tunnels name=kafka addr=//kafka:9092 url=tcp://2.tcp.us-cal-1.ngrok.io:19757',
  ])('says none in: %s', (line) => expect(find('ngrok', line)).toEqual([]));
});

describe('ssh', () => {
  it('says which port it was given', () => {
    expect(find('ssh:host', 'Allocated port 40123 for remote forward to 127.0.0.1:4020')).toEqual([
      'http://tunnel.example:40123',
    ]);
    expect(find('ssh:host', 'Warning: remote port forwarding failed for listen port 80')).toEqual([]);
  });
});

describe('a command', () => {
  it('is taken at no address that holds a user name or password, and at the one beside it without', () => {
    const line = 'up at https://me:s3cret@public.example/hooks and https://public.example/hooks';
    expect(find('cmd:x', line)).toEqual(['https://public.example/hooks']);
    expect(find('cmd:x', 'https://me@public.example')).toEqual([]);
  });

  it.each(['access_token', 'api_key', 'sig', 'client-secret'])(
    'is taken at no address with a secret in its query, which is hidden where a line of it is shown: %s',
    (name) => {
      const line = `up at https://public.example/hooks?to=1&${name}=s3cretQUERY99&x=2 and https://public.example/hooks?to=1`;
      expect(find('cmd:x', line)).toEqual(['https://public.example/hooks?to=1']);
      expect(namesCredential(line)).toBe(true);
      expect(hideCredentials(line)).not.toContain('s3cretQUERY99');
      expect(hideCredentials(line)).toContain(`https://public.example/hooks?to=1&${name}=`);
    },
  );

  it.each([
    'up at https://public.example/hooks?to=1',
    'token: s3cretWORD99',
    'at https://[x?token=s3cretWORD99',
  ])('whose line shows no secret in an address is not blamed for one: %s', (line) =>
    expect(namesCredential(line)).toBe(false),
  );

  it.each([
    ['at https://me:s3cret@public.example/a@b.', 'at https://…@public.example/a@b.'],
    ['https://me:p@ss:s3cret@public.example', 'https://…@public.example'],
    ['http://s3cret@h tcp://u:s3cret@h:1', 'http://…@h tcp://…@h:1'],
    ['mail me@x.example, https://public.example/?to=me@x.example', null],
  ])('has its password hidden where a line of it is shown: %s', (line, shown) => {
    expect(hideCredentials(line)).toBe(shown ?? line);
  });
});
