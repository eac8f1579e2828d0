import { broken, type Finding, ok, warning } from '../finding.ts';
import type { Check, Reached } from '../patient.ts';
import { jsonOf, type Reply, shownReply } from '../send.ts';

const origins = '/.well-known/webauthn';
const endpoints = '/.well-known/passkey-endpoints';

/**
 * What browsers and password managers ask the domain of the passkeys, of which they know nothing else (WebAuthn Level 3 §5.11). A server
 * whose pages can have no passkeys answers none of it.
 */
export const passkeys: Check = {
  name: 'passkeys',
  async run(server: Reached): Promise<readonly Finding[]> {
    const { baseUrl, configuration, send } = server;
    const own = await send(`${baseUrl}${origins}`);
    if (own.status !== 200) return [];
    const { host, hostname, origin } = new URL(baseUrl);
    const domain = configuration?.['passkeys.relyingPartyId'] ?? hostname;
    const root = domain === hostname ? origin : `https://${domain}`;
    const findings = await Promise.all([
      originsFinding(`${root}${origins}`, own, isWithin(hostname, domain), server),
      endpointsFinding(`${root}${endpoints}`, await send(`${baseUrl}${endpoints}`), server),
    ]);
    const found = findings.flat();
    return found.length > 0 ? found : [ok(`passkeys of ${domain} work on the pages of ${host}`)];
  },
};

function isWithin(hostname: string, domain: string): boolean {
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

/** Browsers ask only on pages of other domains. */
async function originsFinding(
  url: string,
  own: Reply,
  isWithinDomain: boolean,
  { send }: Reached,
): Promise<readonly Finding[]> {
  const needed = originsOf(own);
  if (isWithinDomain && needed.length <= 1) return [];
  const reply = await send(url);
  const named = reply.status === 200 ? originsOf(reply) : [];
  const missing = needed.filter((each) => !named.includes(each));
  if (missing.length === 0) return [];
  const severity = isWithinDomain ? warning : broken;
  return [
    severity(
      `${url}, where browsers ask which origins can use the passkeys, answers with ${answerOf(reply)}`,
      {
        expected: `the same answer as ${own.url.href}, with ${missing.join(' and ')}`,
        advice: `let the proxy of ${new URL(url).host} lead this path to the server, unchanged, or serve a copy of the answer as application/json: ${origins}`,
      },
    ),
  ];
}

async function endpointsFinding(url: string, own: Reply, { send }: Reached): Promise<readonly Finding[]> {
  const reply = await send(url);
  if (reply.status === 200 && jsonOf(reply).manage === jsonOf(own).manage) return [];
  return [
    warning(
      `${url}, where password managers look for the page of passkeys, answers with ${answerOf(reply)}`,
      {
        expected: `the same answer as ${own.url.href}`,
        advice: `let the proxy of ${new URL(url).host} lead this path to the server, unchanged, or serve a copy of the answer: ${endpoints}`,
      },
    ),
  ];
}

function answerOf(reply: Reply): string {
  return reply.status === 200 ? 'other values' : shownReply(reply);
}

function originsOf(reply: Reply): readonly string[] {
  const { origins: named } = jsonOf(reply);
  return Array.isArray(named) ? named.filter((each) => typeof each === 'string') : [];
}
