import type { UnverifiedJwt } from '@watchword/proofs';
import type { OAuthErrorDetails } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { type Client, isPublicClient } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import type { RequestHead } from '../../model/request-head.ts';
import type { CredentialedRequest } from './credentialed-request.ts';

/** One way in which a caller authenticates (RFC 6749 §2.3). */
export interface ClientAuthenticationMethod {
  /** As in the IANA registry "OAuth Token Endpoint Authentication Methods". */
  readonly name: string;
  /** `false` if the method only identifies the caller. It is selected if the request uses no other method. */
  readonly provesIdentity: boolean;
  /** Whether the metadata leave it out: nobody can use it whom its client's owner has not told how. */
  readonly isPrivate?: true;
  /** Algorithms of signatures that the method takes, for the metadata (RFC 8414 §2). */
  readonly signingAlgorithms?: readonly string[];
  /**
   * The credentials of this method in the request. `undefined` when the request does not use the method,
   * {@link malformedCredentials} when it uses the method wrongly. The function checks nothing else.
   */
  read(request: CredentialedRequest): PresentedCredentials | undefined;
  /** Whether the registration of the caller allows the method. */
  isRegisteredFor(caller: RegisteredCaller): boolean;
  /**
   * Whether the credentials are those of the caller. The function also runs for an unknown caller, and then takes as
   * long as for a known one.
   *
   * @param now epoch milliseconds
   */
  verify(
    credentials: PresentedCredentials,
    caller: RegisteredCaller | undefined,
    request: RequestHead,
    now: number,
  ): boolean | Promise<boolean>;
  /**
   * Verifies what {@link verify} does not, because it takes long; `undefined` if there is nothing. Called if no caller was verified.
   *
   * @throws OAuthError `too_many_requests`, `temporarily_unavailable`
   */
  verifySlowly?(
    credentials: PresentedCredentials,
    caller: RegisteredCaller,
    request: RequestHead,
    now: number,
  ): Promise<boolean> | undefined;
  /** Uses up what can be presented only once. Called when all else is verified. `false`: it was presented before. */
  useUp?(credentials: PresentedCredentials): Promise<boolean>;
  /** Why the caller was not authenticated: it is not registered for the method, or its credentials are others. */
  whyFailed(
    credentials: PresentedCredentials,
    caller: RegisteredCaller,
    request: RequestHead,
    now: number,
  ): FailedAuthentication | Promise<FailedAuthentication>;
}

/** Only the record owner of the caller reads it. */
export type FailedAuthentication = Pick<OAuthErrorDetails, 'reason' | 'rule' | 'expected' | 'came'>;

/** Verifies secrets that can be guessed, which have slow hashes. */
export interface SlowSecrets {
  /** Whether a secret with this SHA-256 digest was verified by the slow hash before. */
  isRemembered(hash: Uint8Array, digest: Uint8Array): boolean;
  /**
   * Whether the secret is that of the caller, by a slow hash: within the queue of passwords and the limits of guessing them, because
   * any caller can make the server compute the hash. `undefined` if no slow hash can match.
   *
   * @param source network address of the caller
   * @param now epoch milliseconds
   * @throws OAuthError `too_many_requests`, `temporarily_unavailable`
   */
  matches(
    caller: RegisteredCaller,
    presented: string,
    source: string,
    now: number,
  ): Promise<boolean> | undefined;
}

/** A record whose credentials can be verified. */
export type RegisteredCaller = Client | ResourceServer;

export function isClient(caller: RegisteredCaller): caller is Client {
  return 'clientId' in caller;
}

/** Whether the registration of the caller leaves the method open, or names it. */
export function isOfMethod(caller: RegisteredCaller, method: Client['tokenEndpointAuthMethod']): boolean {
  const named = isClient(caller) ? caller.tokenEndpointAuthMethod : '';
  return named === '' || named === method;
}

/** Why a request by another method than the registered one failed. */
export function otherMethod(caller: RegisteredCaller, method: string): FailedAuthentication {
  return because('registered_method', { registered: registeredMethod(caller), method });
}

function registeredMethod(caller: RegisteredCaller): string {
  if (!isClient(caller)) return 'client_secret_basic';
  return caller.tokenEndpointAuthMethod || (isPublicClient(caller) ? 'none' : 'a secret');
}

/** The credentials of a request for one method, not verified. */
export interface PresentedCredentials {
  /** A `clientId`, or the key of a resource server. */
  readonly id: string;
  /** The secret, or another proof of the method. Empty if the method proves nothing. */
  readonly proof: string;
  /** The proof, as the method has read it, if it is a JWT. */
  readonly assertion?: UnverifiedJwt;
}

/** Credentials of no caller: no record has an empty identifier. */
export const malformedCredentials: PresentedCredentials = { id: '', proof: '' };
