import { type CodeDependencies, newCode, type Pkce, pkceMetadata, readPkce } from './new-code.ts';
import type { ResponseType } from './response-type.ts';

/** The authorization code grant (RFC 6749 §4.1). */
export function codeResponseType(deps: CodeDependencies): ResponseType<Pkce> {
  return {
    name: 'code',
    responseModes: ['query', 'fragment', 'form_post', 'jwt', 'query.jwt', 'fragment.jwt', 'form_post.jwt'],
    mayOmitRedirectUri: true,
    issuesIdToken: false,
    metadata: pkceMetadata,
    isAllowedFor: () => true,
    read: readPkce,
    async issue(granted, pkce) {
      const { grant, session, event, consent } = granted;
      const { code, codeValue } = newCode(granted, pkce, deps);
      const isStored = await deps.authorizationCodes.insert(code, grant, { session, event, consent });
      return isStored ? { code: codeValue } : undefined;
    },
  };
}
