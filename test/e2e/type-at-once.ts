import type { Page } from '@playwright/test';

const modifierBits = { alt: 1, ctrl: 2, shift: 8 } as const;

/** Presses keys and types a word behind them without waiting for anything, on a page that is `slowness` times slower. */
export async function typeAtOnce(
  page: Page,
  [modifiers, key]: readonly [(keyof typeof modifierBits)[], string],
  word: string,
  slowness = 6,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  const bits = modifiers.reduce((sum, name) => sum + modifierBits[name], 0);
  const press = (letter: string, held: number): Promise<unknown>[] => {
    const code = `Key${letter.toUpperCase()}`;
    const at = {
      key: letter,
      code,
      modifiers: held,
      windowsVirtualKeyCode: letter.toUpperCase().charCodeAt(0),
    };
    return [
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...at, ...(held === 0 && { text: letter }) }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...at }),
    ];
  };
  await Promise.all([...press(key, bits), ...[...word].flatMap((letter) => press(letter, 0))]);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  await session.detach();
}
