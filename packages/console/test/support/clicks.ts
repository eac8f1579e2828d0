import type { Page } from 'playwright-core';

/** What a user did with mouse and keyboard. */
export interface Effort {
  readonly clicks: number;
  /** Fields in which the user typed or chose something. */
  readonly fields: number;
}

interface Counting {
  clicks: number;
  fields: Set<EventTarget | null>;
}

declare const window: { watchwordEffort?: Counting };

/** Counts what the user does in the page from now on. */
export async function countEffort(page: Page): Promise<void> {
  await page.evaluate(() => {
    const counting = { clicks: 0, fields: new Set<EventTarget | null>() };
    const isCounting = window.watchwordEffort !== undefined;
    window.watchwordEffort = counting;
    if (isCounting) return;
    const capture = { capture: true };
    // One press of the button is one click, however many elements get an event of it.
    addEventListener('pointerdown', () => count((effort) => effort.clicks++), capture);
    addEventListener('input', ({ target }) => count((effort) => effort.fields.add(target)), capture);
    function count(add: (effort: Counting) => void) {
      if (window.watchwordEffort !== undefined) add(window.watchwordEffort);
    }
  });
}

export async function effortOf(page: Page): Promise<Effort> {
  return page.evaluate(() => ({
    clicks: window.watchwordEffort?.clicks ?? 0,
    fields: window.watchwordEffort?.fields.size ?? 0,
  }));
}
