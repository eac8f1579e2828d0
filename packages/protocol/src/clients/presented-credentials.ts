import { OAuthError } from '../model/errors.ts';
import { optionalParameter, type Parameters } from '../rules/parameters.ts';
import { parseBasicCredentials } from './basic-credentials.ts';

/** A request whose caller must say who it is. */
export interface CredentialedRequest {
  /** The `Authorization` header, when there is one. */
  readonly authorization: string | undefined;
  readonly parameters: Parameters;
  /** The network address of the caller; failed attempts are counted by it. */
  readonly source: string;
  /** Id of the request in the log. */
  readonly requestId?: string;
}

/** What a client showed: an identifier, and a secret unless it claims to be public. */
export interface PresentedCredentials {
  readonly id: string;
  readonly secret: string | undefined;
}

/**
 * Reads client credentials from the header or the body (RFC 6749 §2.3.1); `undefined` when there are none
 * or they are malformed. A `client_id` in the body beside a header is tolerated when it names the same
 * client, as many client libraries send it.
 *
 * @throws OAuthError `invalid_request` for more than one method or two identities
 */
export function presentedCredentials(request: CredentialedRequest): PresentedCredentials | undefined {
  const bodyId = optionalParameter(request.parameters, 'client_id');
  const bodySecret = optionalParameter(request.parameters, 'client_secret');
  if (request.authorization === undefined) {
    return bodyId === undefined ? undefined : { id: bodyId, secret: bodySecret };
  }
  if (bodySecret !== undefined) {
    throw new OAuthError('invalid_request', {
      description: 'The client authenticates by more than one method; use the header or the body.',
    });
  }
  const basic = parseBasicCredentials(request.authorization);
  if (basic !== undefined && bodyId !== undefined && bodyId !== basic.id) {
    throw new OAuthError('invalid_request', {
      description: 'The client_id in the body names another client than the Authorization header.',
    });
  }
  return basic;
}
