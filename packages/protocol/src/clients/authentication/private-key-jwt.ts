import { clockSkew, type UnverifiedJwt } from '@watchword/proofs';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import { signingAlgorithms, withBothNames } from '../../model/signing-algorithm.ts';
import type { OneTimeStore } from '../../ports/stores/logins/one-time-store.ts';
import type { ClientKeySets, IssuerKeySets } from '../../ports/system/key-sets.ts';
import type { ProfileChecks } from '../../rules/profile-checks.ts';
import { sha256 } from '../../rules/sha256.ts';
import { assertionOf, byAssertion, namedBeside, readAssertion, ruleOf } from './assertion.ts';
import {
  type ClientAuthenticationMethod,
  type FailedAuthentication,
  malformedCredentials,
} from './authentication-method.ts';
import { clientJwtRefusal } from './client-keys.ts';

export interface AssertionDependencies {
  /** The base URL. */
  readonly issuer: string;
  readonly oneTime: OneTimeStore;
  readonly clientKeySets: ClientKeySets;
  readonly issuerKeySets: IssuerKeySets;
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
}

/** Seconds for which an assertion can be valid. Libraries make assertions of a minute to an hour. */
const maxLifetime = 3600;
const maxIdLength = 255;

/**
 * The client signs an assertion with a key of its own (RFC 7523 §2.2, OpenID Connect Core §9). Unlike the time of a secret, the time
 * that an assertion takes shows whether its client is registered; so does the authorization endpoint.
 */
export function privateKeyJwt(deps: AssertionDependencies): ClientAuthenticationMethod {
  const { oneTime, profile } = deps;
  const refusalOf = (jwt: UnverifiedJwt, client: Client, now: number) => refusal(jwt, client, now, deps);
  return {
    ...byAssertion('private_key_jwt', refusalOf, because('assertion_once')),
    signingAlgorithms: profile?.clientAlgorithms ?? withBothNames(signingAlgorithms),
    read(request) {
      const jwt = readAssertion(request);
      if (jwt === undefined) return undefined;
      if (jwt === 'malformed') return malformedCredentials;
      if (namedBeside(jwt, request) !== undefined) return undefined;
      const { sub: id } = jwt.claims;
      return typeof id === 'string' ? { id, proof: jwt.text, assertion: jwt } : malformedCredentials;
    },
    async useUp(credentials) {
      const { exp, jti } = assertionOf(credentials).claims;
      const key = sha256(JSON.stringify([credentials.id, jti]));
      // Until it has expired for a node whose clock is behind.
      const until = Math.ceil(Number(exp) + 2 * clockSkew) * 1000;
      return oneTime.put(`assertion:${Buffer.from(key).toString('base64url')}`, '', until);
    },
  };
}

async function refusal(
  jwt: UnverifiedJwt,
  client: Client,
  now: number,
  { issuer, clientKeySets, profile }: AssertionDependencies,
): Promise<FailedAuthentication | undefined> {
  const { header, claims } = jwt;
  if (claims.iss !== client.clientId || claims.sub !== client.clientId) return because('assertion_client');
  if (!isId(claims.jti)) return because('assertion_id', { most: maxIdLength });
  const stricter = profile?.refusal('assertion', { algorithm: header.alg, audience: claims.aud, issuer });
  if (stricter !== undefined) return stricter;
  const expectations = {
    algorithms: [client.tokenEndpointAuthSigningAlg || signingAlgorithms].flat(),
    // RFC 7523 §3, OpenID Connect Core §9, RFC 9126 §2.
    audiences: [issuer, `${issuer}/oauth2/token`, `${issuer}/oauth2/par`],
    times: { now, maxLifetime },
  };
  const refused = await clientJwtRefusal(client, jwt, expectations, clientKeySets);
  return refused && because(ruleOf[refused.rule], refused);
}

function isId(jti: unknown): boolean {
  return typeof jti === 'string' && jti !== '' && jti.length <= maxIdLength;
}
