import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { optionalParameter } from '../../rules/parameters.ts';
import type { ClientAuthenticationMethod, PresentedCredentials } from './authentication-method.ts';
import type { CredentialedRequest } from './credentialed-request.ts';
import { none } from './none.ts';

/** The credentials of a request, and the method that it uses. */
export interface Presented {
  readonly method: ClientAuthenticationMethod;
  readonly credentials: PresentedCredentials;
}

/**
 * Selects the method that the request uses; `undefined` when it shows no credentials. A `client_id` in the body in addition
 * to another method is accepted if it names the same client: many client libraries send it, and assertions may have it
 * (RFC 7521 §4.2).
 *
 * @throws OAuthError `invalid_request` for more than one method (RFC 6749 §2.3) or two identifiers
 */
export function presentedCredentials(
  request: CredentialedRequest,
  methods: readonly ClientAuthenticationMethod[],
): Presented | undefined {
  let presented: Presented | undefined;
  for (const method of methods) {
    const credentials = method.read(request);
    if (credentials === undefined) continue;
    if (presented?.method.provesIdentity && method.provesIdentity) {
      const both = [presented.method.name, method.name];
      throw new OAuthError('invalid_request', because('one_method', { methods: both }));
    }
    if (presented === undefined || method.provesIdentity) presented = { method, credentials };
  }
  if (presented === undefined) return undefined;
  checkIdentifier(request, presented.credentials);
  return isEmptySecret(presented) ? { ...presented, method: none } : presented;
}

/**
 * Whether the request has an identifier with an empty secret, by HTTP Basic. Some client libraries authenticate a public
 * client in this way, and RFC 6749 §2.3.1 lets a client leave an empty secret out: the client identifies itself without a
 * proof.
 */
function isEmptySecret({ credentials: { id, proof } }: Presented): boolean {
  return proof === '' && id !== '';
}

/** The identifier that a request shows, whether or not the credentials are valid or contradict each other. */
export function claimedIdentifier(
  request: CredentialedRequest,
  methods: readonly ClientAuthenticationMethod[],
): string | undefined {
  for (const method of methods) {
    const id = method.read(request)?.id;
    if (id) return id;
  }
  return undefined;
}

/** Malformed credentials name no client, so that no `client_id` contradicts them. */
function checkIdentifier({ parameters }: CredentialedRequest, { id }: PresentedCredentials): void {
  const named = optionalParameter(parameters, 'client_id');
  if (id !== '' && named !== undefined && named !== id) {
    throw new OAuthError('invalid_request', because('one_method', { isOtherClient: true }));
  }
}
