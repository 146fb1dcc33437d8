import { readBasic } from '../http-file/basic-header';

/**
 * Reads user and password of a header whose credentials are variables; null: it has none.
 *
 * They are encoded once they are there, which other tools do by themselves; typed ones are encoded already.
 */
export function readBasicCredentials([name, value]: readonly [string, string]): {
  user: string;
  password: string;
} | null {
  if (!/^authorization$/i.test(name) || !value.includes('{{')) return null;
  return readBasic(value);
}
