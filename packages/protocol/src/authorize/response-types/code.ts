import { type CodeBinding, type CodeDependencies, newCode, pkceMetadata, readBinding } from './new-code.ts';
import type { ResponseType } from './response-type.ts';

/** The authorization code grant (RFC 6749 §4.1). */
export function codeResponseType(deps: CodeDependencies): ResponseType<CodeBinding> {
  return {
    name: 'code',
    responseModes: ['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
    mayOmitRedirectUri: true,
    issuesIdToken: false,
    metadata: pkceMetadata,
    isAllowedFor: () => true,
    read: readBinding,
    async issue(granted, binding) {
      const { grant, session, event, consent } = granted;
      const { code, codeValue } = newCode(granted, binding, deps);
      const isStored = await deps.authorizationCodes.insert(code, grant, { session, event, consent });
      return isStored ? { code: codeValue } : undefined;
    },
  };
}
