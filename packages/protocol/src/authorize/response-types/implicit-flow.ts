import type { ConsentStore } from '../../ports/stores/grants/consent-store.ts';
import type { GrantStore } from '../../ports/stores/grants/grant-store.ts';
import type { ResponseParameters } from '../targets/target-kind.ts';
import {
  type FrontChannelContent,
  type FrontChannelDependencies,
  frontChannelMetadata,
  frontChannelModes,
  frontChannelTokens,
  mayGetUnbound,
} from './front-channel.ts';
import type { GrantedRequest, ResponseType } from './response-type.ts';

export interface ImplicitFlowDependencies extends FrontChannelDependencies {
  readonly grants: GrantStore;
  readonly consents: Pick<ConsentStore, 'save'>;
}

/** A response type whose tokens come from the authorization endpoint, without a code (RFC 6749 §4.2, OpenID Connect Core §3.2). */
export function implicitFlow(
  name: string,
  content: FrontChannelContent,
  deps: ImplicitFlowDependencies,
): ResponseType {
  return {
    name,
    responseModes: frontChannelModes,
    mayOmitRedirectUri: false,
    issuesIdToken: content.idToken,
    metadata: frontChannelMetadata,
    isAllowedFor: (client) => client.allowedImplicitGrant && mayGetUnbound(content, client),
    read: () => ({}),
    issue: (granted) => issueTokens(granted, content, deps),
  };
}

/** Everything is signed before anything is stored. */
async function issueTokens(
  granted: GrantedRequest,
  content: FrontChannelContent,
  deps: ImplicitFlowDependencies,
): Promise<ResponseParameters | undefined> {
  const { grant, session, event, answer, consent } = granted;
  const tokens = await frontChannelTokens(granted, content, deps);
  if (!(await deps.grants.insert(grant, tokens.accessToken, { session, answer, event }))) return undefined;
  // After the grant, without which no consent is remembered.
  if (consent !== undefined && !(await deps.consents.save(consent, grant.id))) {
    await deps.grants.revoke(grant.id, deps.clock.now());
    return undefined;
  }
  tokens.count();
  return tokens.parameters;
}
