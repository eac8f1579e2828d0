import { isPublicClient } from '../../model/records/client.ts';
import type { ResponseParameters } from '../targets/target-kind.ts';
import {
  type FrontChannelContent,
  type FrontChannelDependencies,
  frontChannelMetadata,
  frontChannelModes,
  frontChannelTokens,
  mayGetUnbound,
} from './front-channel.ts';
import { type CodeBinding, type CodeDependencies, newCode, pkceMetadata, readBinding } from './new-code.ts';
import type { GrantedRequest, ResponseType } from './response-type.ts';

export type HybridFlowDependencies = CodeDependencies & FrontChannelDependencies;

/** A response type whose response has a code and tokens (OpenID Connect Core §3.3). */
export function hybridFlow(
  name: string,
  content: FrontChannelContent,
  deps: HybridFlowDependencies,
): ResponseType<CodeBinding> {
  return {
    name,
    responseModes: frontChannelModes,
    mayOmitRedirectUri: false,
    issuesIdToken: content.idToken,
    metadata: { ...pkceMetadata, ...frontChannelMetadata },
    isAllowedFor: (client) =>
      client.allowedHybrid && !isPublicClient(client) && mayGetUnbound(content, client),
    read: readBinding,
    issue: (granted, binding) => issueBoth(granted, binding, content, deps),
  };
}

/** The code and the access token are of one grant: whoever presents the code a second time ends both. */
async function issueBoth(
  granted: GrantedRequest,
  binding: CodeBinding,
  content: FrontChannelContent,
  deps: HybridFlowDependencies,
): Promise<ResponseParameters | undefined> {
  const { grant, session, event, consent } = granted;
  const { code, codeValue } = newCode(granted, binding, deps);
  // Everything is signed before anything is stored.
  const { accessToken, parameters, count } = await frontChannelTokens(granted, content, deps, codeValue);
  const context = { session, event, consent, accessToken };
  if (!(await deps.authorizationCodes.insert(code, grant, context))) return undefined;
  count();
  return { code: codeValue, ...parameters };
}
