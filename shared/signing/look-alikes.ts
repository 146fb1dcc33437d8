/** Characters that take no room or look like a plain space, and yet are part of what is signed. */
const INVISIBLE =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these are what is searched for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]/gu;
const ODD_SPACE = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/gu;

/** Letters of other scripts and signs that read as ASCII: pairs of look-alike and what it looks like. */
const PAIRS =
  'АAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXҮYаaсcеeіiјjоoрpѕsхxуy' +
  'ΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧXοo' +
  '‐-‑-‒-–-—-―-−-﹣-‘\'’\'ʼ\'“"”"„"⁄/∕/․.‚,ıi';
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Array.from({ length: PAIRS.length / 2 }, (_, index) => [PAIRS[index * 2]!, PAIRS[index * 2 + 1]!]),
);

/** Tells whether a text holds characters that cannot be seen. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) !== -1 || text.search(ODD_SPACE) !== -1;
}

/** Takes out what cannot be seen; odd spaces become plain ones. */
export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, '').replace(ODD_SPACE, ' ');
}

/** Names the first character that cannot be seen, as `U+200B`; an empty text where there is none. */
export function nameFirstInvisible(text: string): string {
  const at = [text.search(INVISIBLE), text.search(ODD_SPACE)].filter((index) => index !== -1);
  return at.length === 0 ? '' : nameCodePoint(text.codePointAt(Math.min(...at)) ?? 0);
}

/** Writes a code point the way character tables do, `U+00A0`. */
export function nameCodePoint(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * Finds a character that passes for an ASCII one.
 *
 * Text that is really written in another script (it has letters that look like no ASCII letter) is left alone.
 * @returns the first such character and what it looks like; null where there is none
 */
export function findLookAlike(text: string): { found: string; like: string } | null {
  let first: { found: string; like: string } | null = null;
  for (const character of text) {
    if ((character.codePointAt(0) ?? 0) < 0x80) continue;
    const like = likeAscii(character);
    if (like !== null) first ??= { found: character, like };
    else if (/\p{L}/u.test(character)) return null;
  }
  return first;
}

/** Writes every look-alike as the ASCII character it passes for. */
export function replaceLookAlikes(text: string): string {
  return Array.from(text, (character) => likeAscii(character) ?? character).join('');
}

function likeAscii(character: string): string | null {
  const listed = LOOK_ALIKES.get(character);
  if (listed !== undefined) return listed;
  const folded = character.normalize('NFKC');
  return folded !== character && /^[!-~]$/.test(folded) ? folded : null;
}
