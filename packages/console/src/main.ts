import { baseUrl, describedBy, fragment, issuer, opened, silentGrant, usesCodes } from './first.ts';
import type { Opening } from './opening.ts';
import { partAt } from './pages/parts.ts';
import { arrive } from './session/arrive.ts';
import { redeemed } from './session/codes.ts';
import { earlyAnswers } from './session/early.ts';
import type { Fragment } from './session/fragment.ts';
import { PendingRequests } from './session/pending.ts';
import { deliver, signIn } from './session/sign-in.ts';
import { loadTexts, t } from './texts/texts.ts';

// Small on purpose: a user who is not signed in leaves from here, and comes back to it.
if (opened.type === 'go') location.replace(opened.address);
else if (opened.type === 'explain') void explain(opened);
else begin();

function begin(): void {
  let pending: PendingRequests;
  try {
    pending = new PendingRequests(sessionStorage);
  } catch {
    void showText('page.noStorage');
    return;
  }
  void land(pending);
}

async function land(pending: PendingRequests): Promise<void> {
  const arrival = arrive(await withToken(pending), { pending, issuer, now: Date.now() });
  switch (arrival.type) {
    case 'ask':
      void ask(arrival.route, pending);
      break;
    case 'deliver':
      deliver(arrival.state, arrival.answer);
      window.close();
      void showText('page.delivered');
      break;
    default:
      void start(arrival, pending);
  }
}

/** What the page was opened with, with a token in the place of a code that this tab asked for. */
async function withToken(pending: PendingRequests): Promise<Fragment> {
  if (fragment.kind !== 'answer' || fragment.parameters.get('iss') !== issuer) return fragment;
  const { parameters } = fragment;
  const verifier = pending.find(parameters.get('state'))?.verifier;
  if (verifier === undefined || !parameters.has('code')) return fragment;
  try {
    return { kind: 'answer', parameters: await redeemed(parameters, verifier, baseUrl) };
  } catch (error) {
    console.error(error);
    parameters.set('error', 'server_error');
    return fragment;
  }
}

/** Stays on the page when the browser has a login at the server and nothing has to be asked. */
async function ask(route: string, pending: PendingRequests): Promise<void> {
  showHeading(pathOf(route));
  if (silentGrant !== undefined) fetchPage(route);
  const grant = await silentGrant;
  if (grant === undefined) signIn(baseUrl, pending, usesCodes).inThisWindow(route);
  else void start({ type: 'granted', route, grant }, pending);
}

async function start(
  arrival: Parameters<typeof import('./application.tsx').start>[0],
  pending: PendingRequests,
) {
  const isGranted = arrival.type === 'granted';
  try {
    if (isGranted) showHeading(pathOf(arrival.route));
    const send = isGranted ? earlyAnswers(baseUrl, arrival.grant.token, arrival.route) : fetch;
    if (isGranted) fetchPage(arrival.route);
    const [application] = await Promise.all([import('./application.tsx'), texts()]);
    await application.start(arrival, {
      baseUrl,
      send,
      issuer,
      pending,
      productName: describedBy('product-name') ?? 'Watchword',
      logo: describedBy('logo'),
      usesCodes,
      version: describedBy('version') ?? '',
      implicitLifetime: Number(describedBy('implicit-lifetime')),
      signingAlgorithms: describedBy('signing-algorithms')?.split(' ') ?? [],
      hasLocalAccounts: describedBy('local-accounts') === 'true',
    });
  } catch (error) {
    console.error(error);
    // This text is in the page: those of the table may be missing.
    show(firstStatus()?.dataset.failed ?? '');
  }
}

/** The application waits for it, and tells when it cannot be fetched. */
function fetchPage(route: string): void {
  partAt(pathOf(route))().catch(() => {});
}

function pathOf(route: string): string {
  return route.split('?', 1)[0] ?? route;
}

/** Not loaded before they are needed: most users who open the page leave it at once to sign in. */
function texts(): Promise<void> {
  return loadTexts(describedBy('texts') ?? '');
}

async function showText(key: 'page.noStorage' | 'page.delivered'): Promise<void> {
  await texts();
  show(t(key));
}

function show(text: string): void {
  const place = firstStatus();
  if (place !== null) place.textContent = text;
}

function firstStatus(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.first-page [role="status"]');
}

/** Every page has its heading in the served HTML. That of a record is the general one until the record is there. */
function showHeading(path: string): void {
  const heading = document.querySelector<HTMLElement>(`h1[data-route="${CSS.escape(path)}"]`);
  const general = document.querySelector<HTMLElement>('h1:not([data-route])');
  if (heading === null || general === null) return;
  heading.hidden = false;
  general.remove();
}

/** Shows why the page does not open, and what to do. */
async function explain({ reason, remedy }: Extract<Opening, { type: 'explain' }>): Promise<void> {
  await texts();
  const place = document.createElement('main');
  place.className = 'first-paint';
  for (const [name, text] of [
    ['h1', t(`opening.${reason}.title`)],
    ['p', t(`opening.${reason}.reason`, { issuer })],
    ['p', t(`opening.${reason}.advice`)],
    ['code', remedy],
  ] as const) {
    const element = document.createElement(name);
    element.textContent = text;
    place.append(element);
  }
  document.querySelector('.first-page')?.replaceWith(place);
}
