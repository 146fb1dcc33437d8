import { describe, expect, it } from 'vitest';
import { classifyAddress, grantHost, judgeAddress } from './address-policy';

describe('classifyAddress', () => {
  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.0.3', 'loopback'],
    ['::1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['169.254.169.254', 'forbidden'],
    ['::ffff:169.254.169.254', 'forbidden'],
    ['::ffff:a9fe:a9fe', 'forbidden'],
    ['::169.254.169.254', 'forbidden'],
    ['64:ff9b::a9fe:a9fe', 'forbidden'],
    ['64:ff9b::7f00:1', 'forbidden'],
    ['64:ff9b::808:808', 'public'],
    ['2002:a9fe:a9fe::1', 'forbidden'],
    ['2002:0a00:0001::1', 'forbidden'],
    ['2001:0:1:2:3:4:5:6', 'forbidden'],
    ['fe80::1', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['febf::1', 'forbidden'],
    ['fec0::1', 'forbidden'],
    ['fd00:ec2::254', 'forbidden'],
    ['ff02::1', 'forbidden'],
    ['::', 'forbidden'],
    ['0.0.0.0', 'forbidden'],
    ['100.100.100.200', 'forbidden'],
    ['168.63.129.16', 'forbidden'],
    ['192.0.0.192', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.1.1', 'private'],
    ['::ffff:192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['198.18.0.1', 'private'],
    ['fd12:3456::1', 'private'],
    ['8.8.8.8', 'public'],
    ['2606:4700::1111', 'public'],
    ['[::1]', 'loopback'],
    ['example.com', 'forbidden'],
    ['', 'forbidden'],
  ])('%s is %s', (address, kind) => {
    expect(classifyAddress(address)).toBe(kind);
  });
});

describe('grantHost', () => {
  it.each([
    ['http://localhost:1/', 'loopback'],
    ['http://LOCALHOST./', 'loopback'],
    ['http://app.localhost/', 'loopback'],
    ['http://127.0.0.1/', 'loopback'],
    ['http://0177.0.0.1/', 'loopback'],
    ['http://2130706433/', 'loopback'],
    ['http://0x7f.1/', 'loopback'],
    ['http://[::1]/', 'loopback'],
    ['http://[::ffff:127.0.0.1]/', 'loopback'],
    ['http://0xa9fea9fe/', null],
    ['http://127.0.0.1.example.com/', null],
    ['http://127.0.0.1@example.com/', null],
    ['http://localhost.example.com/', null],
    ['https://hooks.example.com/', 'allowed'],
    ['https://HOOKS.example.com./', 'allowed'],
    ['https://port.example.com/', null],
    ['http://port.example.com:8080/', 'allowed'],
    ['http://192.168.1.10/', 'allowed'],
    ['http://[fd00::1]/', 'allowed'],
    ['https://x.tunnel.example/', 'own'],
  ])('%s: %s', (url, grant) => {
    const allowed = ['hooks.example.com', 'port.example.com:8080', '192.168.1.10', 'fd00:0:0::1'];
    expect(
      grantHost(new URL(url), { allowedHosts: allowed, isOwnHost: (host) => host === 'x.tunnel.example' }),
    ).toBe(grant);
  });
});

describe('judgeAddress', () => {
  it('never lets metadata or link-local through, even for a host that was allowed', () => {
    expect(judgeAddress('169.254.169.254', 'allowed')).toContain('metadata');
    expect(judgeAddress('fe80::1', 'allowed')).toContain('link-local');
  });
  it('lets a private address through for an allowed host alone', () => {
    expect(judgeAddress('10.0.0.1', 'allowed')).toBeNull();
    expect(judgeAddress('10.0.0.1', 'own')).toContain('--allow-callback-host');
    expect(judgeAddress('10.0.0.1', 'loopback')).toContain('not on this machine');
  });
  it('holds a loopback name to loopback addresses', () => {
    expect(judgeAddress('::1', 'loopback')).toBeNull();
    expect(judgeAddress('8.8.8.8', 'loopback')).toContain('not on this machine');
    expect(judgeAddress('8.8.8.8', 'own')).toBeNull();
  });
});
