import { createCipheriv, createDecipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSafeStorageBox, type KeychainClient } from './safe-storage-box';

/** Seals as Chromium does on Linux: AES-CBC, without a check of its own. */
function createClient(password: string, backend: string | undefined = 'gnome_libsecret'): KeychainClient {
  const key = Buffer.alloc(16, password);
  const iv = Buffer.alloc(16, ' ');
  return {
    isEncryptionAvailable: () => true,
    encryptString: (text) => {
      const cipher = createCipheriv('aes-128-cbc', key, iv);
      return Buffer.concat([Buffer.from('v11'), cipher.update(text, 'utf8'), cipher.final()]);
    },
    decryptString: (sealed) => {
      const decipher = createDecipheriv('aes-128-cbc', key, iv);
      return Buffer.concat([decipher.update(sealed.subarray(3)), decipher.final()]).toString('utf8');
    },
    getSelectedStorageBackend: () =>
      backend as ReturnType<NonNullable<KeychainClient['getSelectedStorageBackend']>>,
  };
}

const secret = Buffer.from('the master key of a vault, 48 bytes or so.......');

describe('createSafeStorageBox', () => {
  it('offers nothing without a real keychain', () => {
    const none = { ...createClient('a'), isEncryptionAvailable: () => false };
    expect(createSafeStorageBox(none, 'darwin')).toBeNull();
    expect(createSafeStorageBox(createClient('a', 'basic_text'), 'linux')).toBeNull();
    expect(createSafeStorageBox(createClient('a', 'unknown'), 'linux')).toBeNull();
    expect(
      createSafeStorageBox({ ...createClient('a'), getSelectedStorageBackend: undefined }, 'linux'),
    ).toBeNull();
    expect(createSafeStorageBox(createClient('a', 'kwallet6'), 'linux')).not.toBeNull();
    expect(createSafeStorageBox(createClient('a', 'unknown'), 'win32')).not.toBeNull();
  });

  it('opens what it sealed, and shows none of it', async () => {
    const box = createSafeStorageBox(createClient('a'), 'linux')!;
    const sealed = Buffer.from(await box.seal(secret));
    expect(Buffer.from(await box.open(sealed)).equals(secret)).toBe(true);
    expect(sealed.includes(secret)).toBe(false);
    expect(sealed.includes(secret.toString('base64').slice(4, 20))).toBe(false);
  });

  it('tells another keychain entry from damage, wherever the byte stands', async () => {
    const sealed = Buffer.from(await createSafeStorageBox(createClient('a'), 'linux')!.seal(secret));
    for (const password of ['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) {
      const other = createSafeStorageBox(createClient(password), 'linux')!;
      await expect(other.open(sealed)).rejects.toMatchObject({ code: 'vault.wrong_key' });
    }
    const box = createSafeStorageBox(createClient('a'), 'linux')!;
    for (let at = 0; at < sealed.length; at++) {
      const spoilt = Buffer.from(sealed);
      spoilt[at] = spoilt[at]! ^ 0x10;
      await expect(box.open(spoilt), `byte ${at}`).rejects.toMatchObject({ code: 'vault.damaged' });
      await expect(box.open(sealed.subarray(0, at)), `length ${at}`).rejects.toMatchObject({
        code: 'vault.damaged',
      });
    }
  });
});
