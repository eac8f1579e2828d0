import type { Core } from '../core/core.ts';
import { type Endpoint, pathsOfHost } from '../http/endpoint.ts';
import type { Feature } from './feature.ts';

/** Where to report a weakness of the installation, if the operator says so. */
export function securityTxt({
  baseUrl,
  clock,
  configuration,
  prefix,
}: Pick<Core, 'baseUrl' | 'clock' | 'configuration' | 'prefix'>): Feature {
  const { 'securityTxt.contact': contact, 'securityTxt.policy': policy } = configuration;
  if (contact.length === 0) return {};
  const encryption = configuration['securityTxt.encryption'];
  return {
    hostEndpoints: securityTxtRoutes({ baseUrl, clock, contact, encryption, policy, prefix }),
    records: 'unused',
  };
}

const path = '/.well-known/security.txt';

/** What the file says beside what follows from the server. */
interface SecurityContact {
  /** URIs, the preferred one first. */
  readonly contact: readonly string[];
  readonly policy: string | undefined;
  readonly encryption: string | undefined;
}

interface SecurityTxtDependencies extends SecurityContact {
  readonly clock: { now(): number };
  readonly baseUrl: string;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
}

const day = 86_400_000;
// Days. RFC 9116 §2.5.5 recommends less than a year. The configuration holds while the server runs, so each day moves the end.
const lifetime = 90;

/** `security.txt` (RFC 9116 §3). */
export function securityTxtRoutes(deps: SecurityTxtDependencies): Endpoint[] {
  const { baseUrl, prefix } = deps;
  const paths = pathsOfHost(path, prefix);
  // §2.5.2: the URI of web addresses begins with https.
  const canonical = baseUrl.startsWith('https:') ? paths.map((each) => new URL(each, baseUrl).href) : [];
  const GET = () => ({
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    body: fileOf(deps, canonical),
    caching: 'public, max-age=3600',
  });
  return paths.map((each) => ({ path: each, methods: { GET } }));
}

function fileOf(deps: SecurityTxtDependencies, canonical: readonly string[]): string {
  const { contact, policy, encryption, clock } = deps;
  const end = (Math.floor(clock.now() / day) + lifetime) * day;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ...contact.map((uri) => ['Contact', uri] as const),
    ['Expires', new Date(end).toISOString().replace('.000Z', 'Z')],
    ['Encryption', encryption],
    ['Policy', policy],
    ...canonical.map((url) => ['Canonical', url] as const),
  ];
  return fields.flatMap(([name, value]) => (value === undefined ? [] : `${name}: ${value}\n`)).join('');
}
