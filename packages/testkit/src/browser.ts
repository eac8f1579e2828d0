import { type Browser, chromium, type LaunchOptions } from 'playwright-core';
import { unpackChromium } from './browser/unpack-chromium.ts';

/**
 * Starts Chromium without a window: on x64 Linux the one that npm installed, elsewhere an installed Chrome. Nothing is
 * downloaded. It takes about 0.2 s, and 1.5 s more the first time after an install.
 */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ ...(await executable()), chromiumSandbox: false, args: quiet });
}

/** No sandbox, because tests can run as root; no requests to the vendor; no QUIC. */
const quiet = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
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
