import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

export async function scrollTop(page: Page): Promise<number> {
  return Number(await page.evaluate('Math.round(scrollY)'));
}

/** Waits until the page is at this position. */
export async function assertScrolledTo(page: Page, wanted: number): Promise<void> {
  for (let frames = 0; frames < 600 && (await scrollTop(page)) !== wanted; frames += 1) await nextFrame(page);
  assert.equal(await scrollTop(page), wanted);
}

export async function scrollTo(page: Page, wanted: number): Promise<void> {
  // The page is too short for this position until its list has been read.
  for (let frames = 0; frames < 600 && (await scrollTop(page)) !== wanted; frames += 1) {
    await page.evaluate((to) => window.scrollTo(0, to), wanted);
    await nextFrame(page);
  }
  assert.equal(await scrollTop(page), wanted);
}

/** Waits for the effects of what is shown: they run after it is painted. */
export async function settled(page: Page): Promise<void> {
  for (let frames = 0; frames < 3; frames += 1) await nextFrame(page);
}

const nextFrame = (page: Page) => page.evaluate('new Promise(requestAnimationFrame)');
