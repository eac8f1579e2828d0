import { type KeySet, readKeySet, signatureKeys } from '@watchword/proofs';
import type { Client } from '../../model/records/client.ts';
import { signingAlgorithms } from '../../model/signing-algorithm.ts';
import type { Violations } from '../../rules/registration.ts';

type KeyFields = Pick<
  Client,
  | 'jwks'
  | 'jwksUri'
  | 'tokenEndpointAuthMethod'
  | 'tokenEndpointAuthSigningAlg'
  | 'assertionIssuers'
  | 'requireSignedRequestObject'
  | 'requestObjectSigningAlg'
>;

/** The keys with the members that are used; as they are if something is wrong with them. */
export function normalizedKeys(jwks: KeySet): KeySet {
  const read = readKeySet(jwks);
  return 'problem' in read ? jwks : read;
}

/** Finds what keeps a client from its keys. */
export function checkKeyClient(registration: KeyFields, violations: Violations): void {
  const { jwks, jwksUri, tokenEndpointAuthMethod, tokenEndpointAuthSigningAlg: algorithm } = registration;
  const hasKeys = jwks.keys.length > 0;
  if (hasKeys && jwksUri !== '') violations.add('jwksUri', 'must be empty beside jwks (RFC 7591 section 2)');
  if (tokenEndpointAuthMethod === 'assertion_issuer' && registration.assertionIssuers.length === 0)
    violations.add('assertionIssuers', 'are required: tokenEndpointAuthMethod is assertion_issuer');
  checkSignedRequests(registration, violations);
  if (tokenEndpointAuthMethod !== 'private_key_jwt' || jwksUri !== '') return;
  const usable = algorithm === '' ? signingAlgorithms : [algorithm];
  if (!hasKeys) violations.add('jwks', 'is required, or jwksUri: tokenEndpointAuthMethod is private_key_jwt');
  else if (!usable.some((each) => signatureKeys(jwks, each, undefined).length > 0))
    violations.add('jwks', `has no key for a signature by ${usable.join(' or ')}`);
}

/** A client that must sign its requests, and cannot, has no request that is taken. */
function checkSignedRequests(
  { jwks, jwksUri, requestObjectSigningAlg: algorithm, requireSignedRequestObject }: KeyFields,
  violations: Violations,
): void {
  if (!requireSignedRequestObject) return;
  if (algorithm === 'none')
    violations.add('requestObjectSigningAlg', 'is none, but requireSignedRequestObject is true');
  if (jwks.keys.length === 0 && jwksUri === '')
    violations.add('requireSignedRequestObject', 'needs keys of the client: set jwks or jwksUri');
}
