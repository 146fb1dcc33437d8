import { describe, expect, it } from 'vitest';
import { createExternalPages } from './open-external';

const checkoutUrl = 'https://pay.example.com/checkout/7?lang=en';

function start(options: { canOpen?: boolean; sandbox?: string | null } = {}) {
  const opened: string[] = [];
  const { canOpen = true, sandbox = 'http://127.0.0.1:4010' } = options;
  const { handlers } = createExternalPages({
    ports: canOpen ? { openExternal: async (url) => void opened.push(url) } : {},
    sandboxUrl: () => sandbox,
    hasCheckoutUrl: (url) => url === checkoutUrl,
  });
  return { opened, open: async (url: string) => handlers['app.openExternal']({ url }) };
}

describe('app.openExternal', () => {
  it('opens pages of the local sandbox and checkout pages that were recorded', async () => {
    const { opened, open } = start();
    await open('http://127.0.0.1:4010/checkout/1');
    await open(checkoutUrl);
    expect(opened).toEqual(['http://127.0.0.1:4010/checkout/1', checkoutUrl]);
  });

  it.each([
    'https://pay.example.com/checkout/8',
    'http://127.0.0.1:4011/checkout/1',
    'https://127.0.0.1:4010/checkout/1',
    'http://127.0.0.1:4010@evil.example/',
    'http://user:secret@127.0.0.1:4010/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://127.0.0.1:4010/share',
    'checkout',
  ])('refuses %s', async (url) => {
    const { opened, open } = start();
    await expect(open(url)).rejects.toMatchObject({ code: 'app.refused_address' });
    expect(opened).toEqual([]);
  });

  it('opens nothing of a sandbox that does not run', async () => {
    await expect(start({ sandbox: null }).open('http://127.0.0.1:4010/')).rejects.toMatchObject({
      code: 'app.refused_address',
    });
  });

  it('says so where the host cannot open pages', async () => {
    await expect(start({ canOpen: false }).open(checkoutUrl)).rejects.toMatchObject({
      code: 'app.not_available',
    });
  });
});
