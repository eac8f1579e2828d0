import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import type { BrowserContext, Page } from 'playwright-core';
import { startWatchword } from '../contestants/server-process.ts';
import { median } from '../measure/statistics.ts';

const network = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
const rounds = 5;
const clients = 500;
const deadline = 60_000;

const anyPerson = fileURLToPath(import.meta.resolve('@watchword/server-testkit/people/any-person'));

/**
 * How long the GUI takes in Chromium over a slow network (400 ms for each answer, 50 kB/s), for an administrator who is logged in at the
 * server: until the heading of a page is shown, and until its first rows are. `first` has nothing in the cache of the browser,
 * `again` what the visit before left there.
 *
 * @param args `trace`: prints the requests of the last round
 */
export async function benchSlowNetwork(args: readonly string[]): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const server = await startWatchword(directory, 'bench.db', [
    '--authenticator',
    anyPerson,
    '--factors-required',
    'none',
  ]);
  try {
    await using browser = await openBrowser();
    const address = `http://localhost:${server.port}/client/client.html`;
    const { context, token } = await signedIn(browser, address);
    await register(`http://localhost:${server.port}/admin/resourceServer`, token);
    console.log(`${clients} clients; medians of ${rounds} visits, in milliseconds from the address\n`);
    for (const [place, rows] of [
      ['/', '.overview-part li'],
      ['/clients', 'main tbody tr'],
      ['/tokens', 'main tbody tr'],
    ] as const) {
      for (const visit of ['first', 'again'] as const) {
        const times: Shown[] = [];
        for (let round = 0; round < rounds; round += 1) {
          const isTraced = args.includes('trace') && round === rounds - 1;
          times.push(await shown(context, `${address}#${place}`, rows, { visit, isTraced }));
        }
        const of = (what: keyof Shown) =>
          median(times.map((time) => time[what]))
            .toFixed(0)
            .padStart(6);
        console.log(`${of('heading')} heading  ${of('rows')} rows  ${of('bytes')} bytes  ${visit} ${place}`);
      }
    }
  } finally {
    await server.stop();
    await rm(directory, { recursive: true });
  }
}

interface Shown {
  readonly heading: number;
  readonly rows: number;
  /** That came over the network. */
  readonly bytes: number;
}

async function shown(
  context: BrowserContext,
  address: string,
  rows: string,
  { visit, isTraced }: { readonly visit: 'first' | 'again'; readonly isTraced: boolean },
): Promise<Shown> {
  const page = await context.newPage();
  page.setDefaultTimeout(deadline);
  const session = await context.newCDPSession(page);
  await session.send('Network.enable');
  if (visit === 'first') await session.send('Network.clearBrowserCache');
  await session.send('Network.emulateNetworkConditions', network);
  let bytes = 0;
  let started = 0;
  const at = () => (performance.now() - started).toFixed(0).padStart(6);
  const names = new Map<string, string>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    names.set(requestId, new URL(request.url).pathname);
    if (isTraced) console.log(at(), 'sends', request.method, names.get(requestId));
  });
  session.on('Network.responseReceived', ({ requestId }) => {
    if (isTraced) console.log(at(), 'gets ', names.get(requestId));
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes += encodedDataLength;
    if (isTraced) console.log(at(), 'has  ', names.get(requestId), encodedDataLength);
  });
  started = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  const heading = await seen(page, 'h1:visible', started);
  const first = await seen(page, rows, started);
  await page.close();
  return { heading, rows: first, bytes };
}

/** Milliseconds until something with this selector is shown; the page can be another document in the meantime. */
async function seen(page: Page, selector: string, started: number): Promise<number> {
  await page.locator(selector).first().waitFor({ state: 'visible' });
  return performance.now() - started;
}

async function signedIn(browser: TestBrowser, address: string) {
  const context = await browser.newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(deadline);
  let token = '';
  page.on('request', (request) => {
    token = request.headers().authorization ?? token;
  });
  await page.goto(address);
  await page.getByLabel('User name').fill('administrator');
  await page.getByLabel('Password', { exact: true }).fill(JSON.stringify({ adminPrincipal: true }));
  await page.getByRole('button', { name: 'Sign in' }).click();
  const allow = page.locator('[name="decision"][value="allow"]');
  const isSignedIn = page.locator('.signed-in');
  await allow.or(isSignedIn).first().waitFor();
  if (await allow.isVisible()) await allow.click();
  await isSignedIn.waitFor();
  return { context, token };
}

/** A resource server with many clients. */
async function register(resourceServers: string, token: string): Promise<void> {
  const create = async (address: string, record: object) => {
    const answer = await fetch(address, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json' },
      body: JSON.stringify({ contactName: 'Operations', ...record }),
    });
    if (!answer.ok) throw new Error(`${address} was answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as { readonly id: number };
  };
  const { id } = await create(resourceServers, { name: 'Orders API', scopes: ['read'] });
  for (let number = 1; number <= clients; number += 1) {
    const record = { clientName: `Client ${number}`, scopes: ['read'], allowedClientCredentials: true };
    await create(`${resourceServers}/${id}/client`, record);
  }
}
