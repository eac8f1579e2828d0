import { maxTries, type UnverifiedJwt } from '@watchword/proofs';
import { type AssertionIssuer, fitsSubject, issuerOf, lacksKeys } from '../../model/assertion-issuer.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import { signingAlgorithms } from '../../model/signing-algorithm.ts';
import { byAssertion, namedBeside, readAssertion, ruleOf } from './assertion.ts';
import type { ClientAuthenticationMethod, FailedAuthentication } from './authentication-method.ts';
import { type ClientJwtRefusal, clientJwtRefusal, keySetRefusal } from './client-keys.ts';
import type { AssertionDependencies } from './private-key-jwt.ts';

/**
 * Another party signs for the client: a cluster, a build server, a trust domain. What it signs is no assertion of RFC 7523. It names
 * a workload and not the client, and is presented until it expires, as a projected token of Kubernetes is.
 */
export function assertionIssuer(deps: AssertionDependencies): ClientAuthenticationMethod {
  const refusalOf = (jwt: UnverifiedJwt, client: Client, now: number) => refusal(jwt, client, now, deps);
  return {
    ...byAssertion('assertion_issuer', refusalOf, because('assertion_issuer')),
    isPrivate: true,
    read(request) {
      const jwt = readAssertion(request);
      if (jwt === undefined || jwt === 'malformed') return undefined;
      const id = namedBeside(jwt, request);
      return id === undefined ? undefined : { id, proof: jwt.text, assertion: jwt };
    },
  };
}

/** `undefined` if one of the issuers of the client signed the assertion for its workload. */
async function refusal(
  jwt: UnverifiedJwt,
  client: Client,
  now: number,
  deps: AssertionDependencies,
): Promise<FailedAuthentication | undefined> {
  const { claims } = jwt;
  const ofIssuer = client.assertionIssuers.filter(({ issuer }) => issuer === issuerOf(claims));
  if (ofIssuer.length === 0) return because('assertion_issuer');
  const fitting = ofIssuer.filter(({ subject }) => fitsSubject(String(claims.sub), subject));
  // Clusters often have the name that all clusters begin with, and keys of their own, whose names choose among them.
  let refused: FailedAuthentication = because('assertion_subject', {
    subjects: ofIssuer.map(({ subject }) => subject),
  });
  let tried = 0;
  for (const issuer of fitting) {
    const wrong = await issuerRefusal(jwt, client, issuer, now, deps);
    if (wrong === undefined) return undefined;
    refused = inWords(wrong, issuer);
    tried += wrong.tried ?? 0;
    if (tried >= maxTries) break;
  }
  return refused;
}

async function issuerRefusal(
  jwt: UnverifiedJwt,
  { clientId }: Client,
  of: AssertionIssuer,
  now: number,
  { clientKeySets, issuerKeySets }: AssertionDependencies,
): Promise<ClientJwtRefusal | undefined> {
  const expectations = {
    algorithms: signingAlgorithms,
    audiences: [of.audience],
    // Whoever issues it chooses how long it is valid: a projected token of Kubernetes can be for a year.
    times: { now, maxLifetime: Number.POSITIVE_INFINITY },
  };
  return lacksKeys(of)
    ? keySetRefusal(jwt, expectations, { ...operatorKeys, keySets: issuerKeySets, owner: of.issuer })
    : clientJwtRefusal({ ...of, clientId }, jwt, expectations, clientKeySets);
}

function inWords(refused: ClientJwtRefusal, of: AssertionIssuer): FailedAuthentication {
  const { rule } = refused;
  if (rule === 'keys' && lacksKeys(of)) return because('assertion_issuer_keys', refused);
  if (rule === 'audience') return because('assertion_issuer_audience', refused);
  return rule === 'time' ? because('assertion_issuer_time', refused) : because(ruleOf[rule], refused);
}

const operatorKeys = {
  expected: 'keys of the issuer, by the setting clients.assertionIssuers',
  came: (problem: string) => `a source of keys that ${problem}`,
};
