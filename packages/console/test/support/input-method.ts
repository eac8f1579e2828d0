import type { Page } from 'playwright-core';

/** An input method that converts what is typed, as for Japanese, in the focused field of a page. */
export interface InputMethod extends AsyncDisposable {
  /** Shows a text that is not confirmed yet. */
  compose(text: string): Promise<void>;
  /** A key that belongs to the conversion, as Chromium and Firefox send it. */
  press(key: string): Promise<void>;
  /** Confirms the text, with the key after the end of the composition, as Safari sends it. */
  confirmWith(key: string, text: string): Promise<void>;
}

export async function inputMethod(page: Page): Promise<InputMethod> {
  const session = await page.context().newCDPSession(page);
  const press = async (key: string, windowsVirtualKeyCode: number) => {
    for (const type of ['rawKeyDown', 'keyUp'] as const) {
      await session.send('Input.dispatchKeyEvent', { type, key, code: key, windowsVirtualKeyCode });
    }
  };
  return {
    async compose(text) {
      const { length } = text;
      await session.send('Input.imeSetComposition', { text, selectionStart: length, selectionEnd: length });
    },
    press: (key) => press(key, codes[key] ?? 0),
    async confirmWith(key, text) {
      await session.send('Input.insertText', { text });
      await press(key, 229);
    },
    [Symbol.asyncDispose]: () => session.detach(),
  };
}

const codes: Readonly<Record<string, number>> = {
  Enter: 13,
  Escape: 27,
  ArrowDown: 40,
  Backspace: 8,
  ' ': 32,
};
