import { parseJwt, type UnverifiedJwt } from '@watchword/proofs';
import type { ErrorRuleName } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import { optionalParameter, type Parameters } from '../../rules/parameters.ts';
import {
  type ClientAuthenticationMethod,
  type FailedAuthentication,
  isClient,
  otherMethod,
  type PresentedCredentials,
  type RegisteredCaller,
} from './authentication-method.ts';
import type { ClientJwtRefusal } from './client-keys.ts';
import type { CredentialedRequest } from './credentialed-request.ts';

const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

/** Each request is asked by every method, more than once. */
const known = new WeakMap<Parameters, UnverifiedJwt | 'malformed'>();

/** The assertion of a request (RFC 7521 §4.2); `undefined` if it has none. */
export function readAssertion({ parameters }: CredentialedRequest): UnverifiedJwt | 'malformed' | undefined {
  const type = optionalParameter(parameters, 'client_assertion_type');
  const text = optionalParameter(parameters, 'client_assertion');
  if (type === undefined && text === undefined) return undefined;
  const assertion =
    known.get(parameters) ?? (type === assertionType ? parseJwt(text ?? '') : undefined) ?? 'malformed';
  known.set(parameters, assertion);
  return assertion;
}

/**
 * The client for which another party issued the assertion; `undefined` for one that the client itself signed, whose `iss` and `sub`
 * are the client (RFC 7523 §3).
 */
export function namedBeside({ claims }: UnverifiedJwt, { parameters }: CredentialedRequest) {
  const named = optionalParameter(parameters, 'client_id');
  const { iss, sub } = claims;
  return typeof sub === 'string' && sub !== named && sub !== iss ? named : undefined;
}

/**
 * A method that proves the identity of a client by an assertion: all of it but which assertions it reads.
 *
 * @param refusal why the client cannot authenticate with the assertion; `undefined` if it can
 * @param otherwise why it could not, if nothing is wrong with the assertion any more
 */
export function byAssertion(
  name: 'private_key_jwt' | 'assertion_issuer',
  refusal: (jwt: UnverifiedJwt, client: Client, now: number) => Promise<FailedAuthentication | undefined>,
  otherwise: FailedAuthentication,
) {
  const isRegisteredFor = (caller: RegisteredCaller): caller is Client =>
    isClient(caller) && caller.tokenEndpointAuthMethod === name;
  return {
    name,
    provesIdentity: true,
    isRegisteredFor,
    async verify(credentials, caller, _request, now) {
      if (caller === undefined || !isRegisteredFor(caller)) return false;
      return (await refusal(assertionOf(credentials), caller, now)) === undefined;
    },
    async whyFailed(credentials, caller, _request, now) {
      if (!isRegisteredFor(caller)) return otherMethod(caller, name);
      return (await refusal(assertionOf(credentials), caller, now)) ?? otherwise;
    },
  } satisfies Omit<ClientAuthenticationMethod, 'read'>;
}

/** The assertion of credentials that were read. */
export function assertionOf({ assertion }: PresentedCredentials): UnverifiedJwt {
  if (assertion === undefined) throw new Error('expected credentials with an assertion');
  return assertion;
}

export const ruleOf = {
  audience: 'assertion_audience',
  time: 'assertion_time',
  algorithm: 'assertion_algorithm',
  key: 'assertion_key',
  signature: 'assertion_signature',
  keys: 'assertion_keys',
} as const satisfies Readonly<Record<ClientJwtRefusal['rule'], ErrorRuleName>>;
