import { openBrowser } from '@watchword/testkit/browser';
import type { CDPSession, Page } from 'playwright-core';

const deadline = 60_000;

/** A page of the GUI, as a user gets to it. */
export interface PagePlace {
  readonly name: string;
  /** Its address within the GUI. */
  readonly at: string;
  /** A search that finds something. */
  readonly find?: string;
  /** The label of a select that searches among many, and a text to type. */
  readonly choose?: readonly [label: string, text: string];
}

export interface Visitor {
  readonly name: string;
  readonly password: string;
}

/**
 * How long the GUI takes, in Chromium, from the address of a page until nothing in it is loading; the longest task of that time, in which
 * the browser does not scroll; how long searches take; the memory of the page and the elements in it.
 */
export async function benchPages(
  baseUrl: string,
  visitor: Visitor,
  places: readonly PagePlace[],
): Promise<void> {
  await using browser = await openBrowser();
  const page = await (await browser.newContext()).newPage();
  page.setDefaultTimeout(deadline);
  await signIn(page, baseUrl, visitor);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await page.evaluate(watchTasks);
  console.log('\nthe GUI: from an address to a page that can be used, its longest task, and searches');
  for (const place of places) {
    await page.evaluate(() => location.assign('#/nowhere'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await longestTask(page);
    const opened = await time(() => open(page, place.at));
    const task = await longestTask(page);
    const { heap, elements } = await sizeOf(session);
    console.log(
      [
        `${opened.toFixed(0).padStart(6)} ms`,
        `task ${task.toFixed(0).padStart(4)} ms`,
        `${heap.toFixed(0).padStart(4)} MB`,
        `${String(elements).padStart(5)} elements`,
        place.name,
        ...(await searches(page, place)),
      ].join('  '),
    );
  }
}

async function signIn(page: Page, baseUrl: string, { name, password }: Visitor): Promise<void> {
  await page.goto(`${baseUrl}/client/client.html#/nowhere`);
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const allow = page.getByRole('button', { name: 'Allow' });
  const signedIn = page.locator('.signed-in');
  await allow.or(signedIn).first().waitFor();
  if (await allow.isVisible()) await allow.click();
  await signedIn.waitFor();
}

async function open(page: Page, at: string): Promise<void> {
  await page.evaluate((to) => location.assign(`#${to}`), at);
  // The first look is after the page has begun to load its data.
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await settled(page);
}

/** Waits until nothing on the page is loading. */
async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => document.querySelector('main h1') !== null && document.querySelector('main .loading') === null,
  );
}

async function searches(page: Page, { find, choose }: PagePlace): Promise<string[]> {
  const box = page.getByRole('searchbox');
  const found: string[] = [];
  if (find !== undefined) {
    const some = await time(async () => {
      await box.fill(find);
      await page.waitForFunction(areRows, find);
    });
    const none = await time(async () => {
      await box.fill('zzz');
      await page.waitForFunction(isNoRow);
    });
    found.push(`search ${some.toFixed(0)} ms, without results ${none.toFixed(0)} ms`);
    await box.fill('');
  }
  if (choose !== undefined) {
    const [label, text] = choose;
    const chosen = await time(async () => {
      await page.getByRole('combobox', { name: label }).fill(text);
      await page.waitForFunction(isOption, text);
    });
    found.push(`choice ${chosen.toFixed(0)} ms`);
  }
  return found;
}

// These run in the page at each frame. A locator would look twice a second only.

function areRows(text: string): boolean {
  const rows = [...document.querySelectorAll('main tbody tr')];
  return rows.length > 0 && rows.every((row) => row.textContent?.includes(text));
}

function isNoRow(): boolean {
  return document.querySelector('main tbody tr') === null;
}

function isOption(text: string): boolean {
  return [...document.querySelectorAll('[role=option]')].some((option) => option.textContent?.includes(text));
}

async function time(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Runs in the page. Tasks of less than 50 ms are not counted. */
function watchTasks(): void {
  const watched = globalThis as unknown as Watched;
  watched.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.longest = Math.max(watched.longest, duration);
  }).observe({ type: 'longtask' });
}

interface Watched {
  longest: number;
}

/** Milliseconds of the longest task since the last call. */
function longestTask(page: Page): Promise<number> {
  return page.evaluate(() => {
    const watched = globalThis as unknown as { longest: number };
    const { longest } = watched;
    watched.longest = 0;
    return longest;
  });
}

async function sizeOf(session: CDPSession): Promise<{ heap: number; elements: number }> {
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? 0;
  return { heap: value('JSHeapUsedSize') / 1024 / 1024, elements: value('Nodes') };
}
