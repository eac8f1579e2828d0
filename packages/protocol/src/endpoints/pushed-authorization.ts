import {
  type IncomingDependencies,
  type IncomingRequest,
  readIncoming,
} from '../authorize/incoming-request.ts';
import { type AuthorizationParameters, firstValue, onlyOfRequest } from '../authorize/parameters.ts';
import {
  type PushedRequestDependencies,
  type StoredRequest,
  storePushed,
} from '../authorize/pushed-requests.ts';
import { authenticateClient } from '../clients/authentication/authenticate-client.ts';
import type { CredentialedRequest } from '../clients/authentication/credentialed-request.ts';
import type { AuthenticationDependencies } from '../clients/authentication/guard.ts';
import { OAuthError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import { type Client, isPublicClient } from '../model/records/client.ts';
import { isOpenClientId } from '../rules/document-client.ts';
import { allValues, optionalParameter } from '../rules/parameters.ts';
import type { DpopProofs } from '../tokens/dpop-proofs.ts';
import { keyMismatch, type SenderConstraint, senderConstraint } from '../tokens/sender-constraint.ts';
import { describedCaller } from './described-caller.ts';
import { failedClient, type RequestErrorReporting, reportRequestError } from './report-request-error.ts';

/** Stores a pushed authorization request (RFC 9126 §2). @throws OAuthError */
export type PushedAuthorizationEndpoint = (request: CredentialedRequest) => Promise<StoredRequest>;

export interface PushedAuthorizationDependencies
  extends AuthenticationDependencies,
    IncomingDependencies,
    PushedRequestDependencies,
    RequestErrorReporting {
  readonly dpopProofs: DpopProofs;
  /**
   * Counts one request of an address for a client of which nobody is known, so that nobody can fill the database.
   *
   * @returns seconds to wait before it can be stored; 0: it can be stored now
   */
  readonly pace: (source: string) => number;
}

/** The request is read as at the authorization endpoint, and stored only if nothing is wrong with it. */
export function pushedAuthorizationEndpoint(
  deps: PushedAuthorizationDependencies,
): PushedAuthorizationEndpoint {
  const store = async (client: Client, request: CredentialedRequest) => {
    const { parameters, source } = request;
    if (optionalParameter(parameters, 'request_uri') !== undefined) {
      throw new OAuthError('invalid_request', because('pushed_parameters'));
    }
    const retryAfter = isUnknown(client) ? deps.pace(source) : 0;
    if (retryAfter > 0) {
      throw new OAuthError('too_many_requests', { ...because('pushed_pace', { retryAfter }), retryAfter });
    }
    const all = new Map([...allValues(parameters), ['client_id', [client.clientId]]]);
    const incoming = await readIncoming(all, { source }, deps, { isPushed: true });
    const sender = await senderConstraint(request, client, deps.dpopProofs);
    const pushed = {
      clientId: client.clientId,
      parameters: boundTo(sender, onlyOfRequest(validParameters(incoming))),
      isSigned: incoming.carrier?.isSigned === true,
    };
    await sender?.use();
    return storePushed(pushed, deps);
  };
  return async (request) => {
    let client: Client | undefined;
    try {
      client = await authenticateClient(request, deps, await describedCaller(request, deps));
      return await store(client, request);
    } catch (error) {
      reportRequestError(deps, 'pushedAuthorization', failedClient(request, client, deps), error);
      throw error;
    }
  };
}

/** Anybody can be a public client, or register one that authenticates. */
function isUnknown(client: Client): boolean {
  return isPublicClient(client) || isOpenClientId(client.clientId);
}

/** @throws OAuthError */
function validParameters({ reading, parameters }: IncomingRequest): IncomingRequest['parameters'] {
  if (reading.type === 'valid') return parameters;
  throw reading.error;
}

/** A proof with the pushed request does what its parameter `dpop_jkt` does (RFC 9449 §10.1). @throws OAuthError if they differ */
function boundTo(
  sender: SenderConstraint | undefined,
  parameters: AuthorizationParameters,
): AuthorizationParameters {
  const proved = sender?.confirmation.jkt;
  if (proved === undefined) return parameters;
  const jkt = firstValue(parameters, 'dpop_jkt') ?? proved;
  const mismatch = keyMismatch('request', { jkt }, { jkt: proved });
  if (mismatch !== undefined) throw new OAuthError('invalid_dpop_proof', mismatch);
  return new Map([...parameters, ['dpop_jkt', [jkt]]]);
}
