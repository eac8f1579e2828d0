import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type LaunchOptions,
} from 'playwright-core';
import { giveBackSharedBrowser, takeSharedBrowser } from './browser/shared-browser.ts';
import { unpackChromium } from './browser/unpack-chromium.ts';

/** A browser for tests of one file. */
export interface TestBrowser extends AsyncDisposable {
  /** Opens windows that share cookies with no other context. They are closed with the browser. */
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  close(): Promise<void>;
}

/**
 * Opens the browser of this process. Test files that take turns in a process share one, because a start takes longer than
 * most tests: it ends with the process, and for a file that runs alone when it is closed.
 */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await takeSharedBrowser(launch);
  const contexts = new Set<BrowserContext>();
  const close = async () => {
    await Promise.all([...contexts].map((context) => context.close()));
    await giveBackSharedBrowser();
  };
  return {
    async newContext(options) {
      const context = await browser.newContext(options);
      contexts.add(context);
      context.once('close', () => contexts.delete(context));
      return context;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * Starts Chromium without a window: on x64 Linux the one that npm installed, elsewhere an installed Chrome. Nothing is
 * downloaded. It takes about 0.2 s, and 1.5 s more the first time after an install.
 */
async function launch(): Promise<Browser> {
  return chromium.launch({ ...(await executable()), ...noSignals, chromiumSandbox: false, args: quiet });
}

/** It ends with its process in any case, and tests send signals to themselves. */
const noSignals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/**
 * No sandbox, because tests can run as root; no requests to the vendor; no QUIC. No optimized code of scripts: pages of tests live
 * too short for it, and without they need a sixth less of the processor.
 */
const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--no-opt --no-maglev',
];

async function executable(): Promise<LaunchOptions> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { channel: 'chrome' };
  const { executablePath, libraries, fonts, home, cache } = await unpackChromium();
  return {
    executablePath,
    // The bundled libraries come first, so that every machine uses the same ones.
    env: {
      ...process.env,
      LD_LIBRARY_PATH: libraries,
      FONTCONFIG_FILE: fonts,
      HOME: home,
      XDG_CACHE_HOME: cache,
    },
  };
}
