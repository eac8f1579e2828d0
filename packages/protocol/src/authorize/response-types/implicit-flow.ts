import { RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { displayName } from '../../model/principal.ts';
import { tokenTypeOf } from '../../model/records/access-token.ts';
import { answeredScope } from '../../model/targeted-scope.ts';
import type { IdTokenIssuer } from '../../openid/id-token.ts';
import { maySeeName } from '../../openid/subjects.ts';
import type { ConsentStore } from '../../ports/stores/consent-store.ts';
import type { GrantStore } from '../../ports/stores/grant-store.ts';
import type { Instruments } from '../../ports/system/instruments.ts';
import {
  type NewAccessToken,
  newAccessToken,
  type TokenMakingDependencies,
} from '../../tokens/issue-access-token.ts';
import type { ResponseParameters } from '../targets/target-kind.ts';
import type { GrantedRequest, ResponseType } from './response-type.ts';

export interface ImplicitFlowDependencies extends TokenMakingDependencies {
  readonly grants: GrantStore;
  readonly consents: Pick<ConsentStore, 'save'>;
  readonly instruments: Instruments;
  readonly issueIdToken: IdTokenIssuer;
  /** Seconds until the access token of a client without expiry expires. */
  readonly implicitLifetime: number;
}

/** What the authorization endpoint itself issues to a client. */
export interface ImplicitContent {
  readonly accessToken: boolean;
  readonly idToken: boolean;
}

/** A response type whose tokens come from the authorization endpoint, without a code (RFC 6749 §4.2, OpenID Connect Core §3.2). */
export function implicitFlow(
  name: string,
  content: ImplicitContent,
  deps: ImplicitFlowDependencies,
): ResponseType {
  return {
    name,
    responseModes: ['fragment', 'form_post'],
    mayOmitRedirectUri: false,
    issuesIdToken: content.idToken,
    metadata: { grant_types_supported: ['implicit'] },
    isAllowedFor: (client) => client.allowedImplicitGrant,
    read: () => ({}),
    issue: (granted) => issueTokens(granted, content, deps),
  };
}

/** Everything is signed before anything is stored. */
async function issueTokens(
  granted: GrantedRequest,
  content: ImplicitContent,
  deps: ImplicitFlowDependencies,
): Promise<ResponseParameters | undefined> {
  const { client, grant, session, event, answer, consent } = granted;
  const made = content.accessToken ? newImplicitToken(granted, deps) : undefined;
  const issued = made instanceof Promise ? await made : made;
  const idToken = content.idToken ? await newIdToken(granted, issued?.accessTokenValue, deps) : undefined;
  if (!(await deps.grants.insert(grant, issued?.accessToken, { session, answer, event }))) return undefined;
  // After the grant, without which no consent is remembered.
  if (consent !== undefined && !(await deps.consents.save(consent, grant.id))) {
    await deps.grants.revoke(grant.id, deps.clock.now());
    return undefined;
  }
  if (issued !== undefined) deps.instruments.tokenIssued('implicit', client);
  if (idToken !== undefined) deps.instruments.idTokenIssued('implicit', client);
  return {
    ...(issued && tokenParameters(granted, issued, deps)),
    ...(idToken !== undefined && { id_token: idToken }),
  };
}

function newImplicitToken({ client, grant }: GrantedRequest, deps: ImplicitFlowDependencies) {
  return newAccessToken({ client, scopes: grant.scopes, grant, lifetime: lifetimeOf(client, deps) }, deps);
}

/** RFC 6749 §4.2.2. */
function tokenParameters(
  { client, grant }: GrantedRequest,
  { accessToken, accessTokenValue }: NewAccessToken,
  { registry }: ImplicitFlowDependencies,
): ResponseParameters {
  const isNamed =
    client.includePrincipal &&
    maySeeName(client, grant.scopes, registry.resourceServerById(client.resourceServerId));
  return {
    access_token: accessTokenValue,
    token_type: tokenTypeOf(accessToken),
    // Never 0: a token that was in an address always expires.
    expires_in: String((accessToken.expires - accessToken.creationDate) / 1000),
    scope: answeredScope(grant.scopes),
    ...(isNamed && { principal: displayName(grant.owner.principal) }),
  };
}

function lifetimeOf(
  { expireDuration }: GrantedRequest['client'],
  { implicitLifetime }: ImplicitFlowDependencies,
): number {
  return expireDuration === 0 ? implicitLifetime : expireDuration;
}

/** @param accessToken absent if none is issued, so that the ID token has the claims of the scopes */
async function newIdToken(
  { client, grant, openid }: GrantedRequest,
  accessToken: string | undefined,
  { issueIdToken }: ImplicitFlowDependencies,
): Promise<string> {
  const { scopes } = grant;
  const content = { client, grant, scopes, nonce: openid?.nonce };
  const idToken = await issueIdToken(accessToken === undefined ? content : { ...content, accessToken });
  if (idToken !== undefined) return idToken;
  throw new RedirectableError('invalid_scope', because('openid_scope', { of: 'ID token' }));
}
