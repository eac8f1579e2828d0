import type { Client } from '../../model/records/client.ts';
import { type SigningAlgorithm, signingAlgorithms } from '../../model/signing-algorithm.ts';
import type { Violations } from '../../rules/registration.ts';
import { sectorHost } from '../../rules/sector.ts';

const algorithmFields = [
  'idTokenSignedResponseAlg',
  'userinfoSignedResponseAlg',
  'authorizationSignedResponseAlg',
] as const;

type OpenidFields = Pick<
  Client,
  | 'frontchannelLogoutUri'
  | 'redirectUris'
  | 'sectorIdentifierUri'
  | 'subjectType'
  | (typeof algorithmFields)[number]
>;

export interface OpenidRules {
  /** The registration that is to be changed; `undefined` for a new client. */
  readonly before: OpenidFields | undefined;
  /** Those that the server signs with. Default: all. */
  readonly algorithms?: readonly SigningAlgorithm[] | undefined;
}

/** Finds every rule of OpenID Connect that the registration of a client breaks. */
export function checkOpenidClient(
  registration: OpenidFields,
  { before, algorithms = signingAlgorithms }: OpenidRules,
  violations: Violations,
): void {
  const { frontchannelLogoutUri, redirectUris, sectorIdentifierUri, subjectType } = registration;
  for (const field of algorithmFields) {
    const algorithm = registration[field];
    // A client keeps an algorithm that was permitted before, so that its other fields can be changed.
    const isKept = algorithm === '' || algorithm === before?.[field];
    if (!isKept && !algorithms.includes(algorithm)) {
      violations.add(
        field,
        `is ${algorithm}, by which this server does not sign (setting signing.algorithms); it must be empty or one of: ${algorithms.join(', ')}`,
      );
    }
  }
  const hosts = [...new Set(redirectUris.map(hostOf))];
  if (subjectType === 'pairwise' && sectorIdentifierUri === '' && hosts.length > 1) {
    violations.add(
      'sectorIdentifierUri',
      `is required: subjectType is pairwise, and the redirect URIs have several hosts: ${hosts.slice(0, 5).join(', ')}`,
    );
  }
  const origin = originOf(frontchannelLogoutUri);
  if (origin !== undefined && !redirectUris.some((uri) => originOf(uri) === origin)) {
    violations.add('frontchannelLogoutUri', 'must have the scheme, host and port of a redirect URI');
  }
}

/** The host of a redirect URI that can be a sector; otherwise its scheme. */
function hostOf(uri: string): string {
  return sectorHost(uri) || (URL.parse(uri)?.protocol ?? '');
}

/** Scheme, host and port of a web address; `undefined` for another URI. */
function originOf(uri: string): string | undefined {
  return /^https?:/i.test(uri) ? URL.parse(uri)?.origin : undefined;
}
