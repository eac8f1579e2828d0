import type { Browser } from 'playwright-core';

let browser: Promise<Browser> | undefined;
let users = 0;
let isKept = false;

/** From now on the browser of this process stays open for the next test file, until {@link closeSharedBrowser}. */
export function keepSharedBrowser(): void {
  isKept = true;
}

export async function closeSharedBrowser(): Promise<void> {
  const open = await browser;
  browser = undefined;
  await open?.close();
}

/** The browser of this process; started if there is none, or if it has ended. Each user gives it back at its end. */
export async function takeSharedBrowser(launch: () => Promise<Browser>): Promise<Browser> {
  users += 1;
  if (browser !== undefined && !(await browser).isConnected()) browser = undefined;
  browser ??= launch();
  return browser;
}

export async function giveBackSharedBrowser(): Promise<void> {
  users -= 1;
  if (users === 0 && !isKept) await closeSharedBrowser();
}
