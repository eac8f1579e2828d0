import type { KeySet } from '@watchword/proofs';

/** Who signs the assertions of a client that has no secret and no key: a cluster, a build server, a trust domain. */
export interface AssertionIssuer {
  /** `iss` of the assertions; `spiffe://` and the trust domain for those that have none. */
  readonly issuer: string;
  /** The one `aud`. */
  readonly audience: string;
  /** `sub`, or its beginning and a `*`. */
  readonly subject: string;
  /** Empty if they are at the URL, or the operator says where they are. */
  readonly jwks: KeySet;
  readonly jwksUri: string;
}

/** Whether the keys of the issuer are those that the operator names. */
export function lacksKeys({ jwks, jwksUri }: Pick<AssertionIssuer, 'jwks' | 'jwksUri'>): boolean {
  return jwks.keys.length === 0 && jwksUri === '';
}

/** Each of the issuers is tried whose name, audience and subject fit. */
export const maxAssertionIssuers = 10;

/** Whether a subject is the named one, or begins as it says. */
export function fitsSubject(subject: string, named: string): boolean {
  return named.endsWith('*') ? subject.startsWith(named.slice(0, -1)) : subject === named;
}

/** The issuer of an assertion: without `iss` it is the trust domain of the subject (SPIFFE JWT-SVID §3). */
export function issuerOf({ iss, sub }: Readonly<Record<string, unknown>>): string | undefined {
  if (iss !== undefined) return typeof iss === 'string' ? iss : undefined;
  return typeof sub === 'string' ? /^spiffe:\/\/[a-z0-9._-]+(?=\/)/.exec(sub)?.[0] : undefined;
}
