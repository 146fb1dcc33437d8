/** Begins the name of the app's session cookie; the web host's port follows. */
export const SESSION_COOKIE = 'countersign_';

const COOKIE_LINE = /^cookie:[ \t]*(?![ \t])([^\r\n]*)(?:\r\n|$)/gim;
const OURS = new RegExp(`^${SESSION_COOKIE}\\d+=`);

/**
 * Takes the app's own session cookie out of the head of a request.
 *
 * A browser sends it to every server of this machine, whatever the port: what opens the app must not be kept, nor go
 * into an export. Every other byte stays.
 * @param head - without its empty line
 */
export function removeSessionCookie(head: Buffer): Buffer {
  if (!head.includes(SESSION_COOKIE)) return head;
  const text = head.toString('latin1').replace(COOKIE_LINE, (line: string, value: string) => {
    const cookies = value.split(';').map((one) => one.trim());
    const others = cookies.filter((one) => !OURS.test(one));
    if (others.length === cookies.length) return line;
    return others.length === 0 ? '' : line.replace(value, () => others.join('; '));
  });
  return Buffer.from(text.replace(/\r\n$/, ''), 'latin1');
}
