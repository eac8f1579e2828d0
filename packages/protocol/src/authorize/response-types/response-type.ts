import type { RedirectableError } from '../../model/errors/errors.ts';
import type { AuditEvent } from '../../model/records/audit-event.ts';
import type { Client } from '../../model/records/client.ts';
import type { Grant } from '../../model/records/grant.ts';
import type { SessionState } from '../../model/records/login-session.ts';
import type { OpenidRequest } from '../../openid/openid-request.ts';
import type { ConsentAnswer, GivenConsent } from '../../ports/stores/grants/consent-store.ts';
import type { AuthorizationParameters } from '../parameters.ts';
import type { ResponseMode } from '../targets/response-target.ts';
import type { ResponseParameters } from '../targets/target-kind.ts';

/**
 * One `response_type` of the authorization endpoint (RFC 6749 §3.1.1). One response type never knows another.
 *
 * `Extra` is what the response type reads from the request in addition to the common parameters. It travels in sealed
 * states, so `JSON.stringify` must be able to write it.
 */
export interface ResponseType<Extra extends object = object> {
  /** The value of `response_type`. */
  readonly name: string;
  /** The values of `response_mode` that a request can name. The first is the default. */
  readonly responseModes: readonly ['query' | 'fragment', ...ResponseMode[]];
  /** Whether a client with one redirect URI can leave it out of the request (RFC 6749 §3.1.2.3). */
  readonly mayOmitRedirectUri: boolean;
  /** Whether the authorization endpoint issues an ID token: a request must have the scope `openid` and a nonce (OpenID Connect Core §3.2.2.1). */
  readonly issuesIdToken: boolean;
  readonly metadata: ResponseTypeMetadata;
  /** Whether the registration gives the client the right to this response type. */
  isAllowedFor(client: Client): boolean;
  /** Reads the parameters that only this response type knows. None of them is repeated. */
  read(parameters: AuthorizationParameters, client: Client): Extra | RedirectableError;
  /**
   * Issues what the client asked for. Resolves with the parameters of the response once all is durable. Resolves with `undefined`, and
   * issues nothing, if the consent page was answered before, the session is not as it was read, or another consent is remembered than
   * the one that is replaced.
   */
  issue(granted: GrantedRequest, extra: Extra): Promise<ResponseParameters | undefined>;
}

/**
 * The members that a response type adds to the metadata, in addition to its name and its modes (RFC 8414 §2). If several
 * response types add to one member, the member has all their values.
 */
export interface ResponseTypeMetadata {
  /** Grants that have no token request. */
  readonly grant_types_supported?: readonly string[];
  readonly [member: `${string}_supported`]: readonly string[] | undefined;
}

/** An authorization request to which the resource owner consented. */
export interface GrantedRequest {
  readonly client: Client;
  /** Not stored yet. */
  readonly grant: Grant;
  /** The session in which the resource owner consents. A grant is stored only while it is so. */
  readonly session: SessionState;
  /** The entry of the audit log, which is stored together with the grant. */
  readonly event: AuditEvent;
  /** As the request named it; `undefined` when the request named none. */
  readonly redirectUri: string | undefined;
  /** What the client requests of OpenID Connect, as the resource owner consented to it; absent without `openid`. */
  readonly openid?: OpenidRequest | undefined;
  /** The answer to the consent page, if one was shown. */
  readonly answer?: ConsentAnswer | undefined;
  /** The consent to remember, which must not be stored without the grant. */
  readonly consent?: GivenConsent | undefined;
}
