import { baseUrlOf } from './base-url.ts';
import { type Opening, opening } from './opening.ts';
import { arrive } from './session/arrive.ts';
import { readFragment } from './session/fragment.ts';
import { PendingRequests } from './session/pending.ts';
import { deliver, signIn } from './session/sign-in.ts';

// Small on purpose: a user who is not signed in leaves from here, and comes back to it.
const fragment = readFragment(location.hash);
if (fragment.kind === 'answer') history.replaceState(null, '', location.pathname);

const baseUrl = baseUrlOf(location);
const issuer = describedBy('issuer') ?? baseUrl;

const alternatives = describedBy('alternatives')?.split(' ') ?? [];
const opened =
  fragment.kind === 'answer' ? { type: 'begin' as const } : opening(baseUrl, issuer, alternatives);
if (opened.type === 'go') location.replace(opened.address);
else if (opened.type === 'explain') explain(opened);
else begin();

function begin(): void {
  let pending: PendingRequests;
  try {
    pending = new PendingRequests(sessionStorage);
  } catch {
    show('Signing in needs the session storage of your browser, and it is switched off for this site.');
    return;
  }
  const arrival = arrive(fragment, { pending, issuer, now: Date.now() });
  switch (arrival.type) {
    case 'ask':
      signIn(baseUrl, pending).inThisWindow(arrival.route);
      break;
    case 'deliver':
      deliver(arrival.state, arrival.answer);
      window.close();
      show('Done. You can close this window and continue in the other one.');
      break;
    default:
      void start(arrival, pending);
  }
}

async function start(
  arrival: Parameters<typeof import('./application.tsx').start>[0],
  pending: PendingRequests,
) {
  try {
    const application = await import('./application.tsx');
    application.start(arrival, {
      baseUrl,
      pending,
      productName: describedBy('product-name') ?? 'Watchword',
      logo: describedBy('logo'),
      version: describedBy('version') ?? '',
      implicitLifetime: Number(describedBy('implicit-lifetime')),
      hasLocalAccounts: describedBy('local-accounts') === 'true',
    });
  } catch (error) {
    console.error(error);
    show('The application could not be loaded. Reload the page to try again.');
  }
}

/** The data of the server in the head of the page. */
function describedBy(name: string): string | undefined {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="watchword-${name}"]`)?.content;
  return content === '' ? undefined : content;
}

function show(text: string): void {
  const place = document.querySelector('.first-paint');
  if (place !== null) place.textContent = text;
}

/** Shows why the page does not open, and what to do. */
function explain({ title, reason, advice, remedy }: Extract<Opening, { type: 'explain' }>): void {
  const place = document.createElement('main');
  place.className = 'first-paint';
  for (const [name, text] of [
    ['h1', title],
    ['p', reason],
    ['p', advice],
    ['code', remedy],
  ] as const) {
    const element = document.createElement(name);
    element.textContent = text;
    place.append(element);
  }
  document.querySelector('.first-paint')?.replaceWith(place);
}
