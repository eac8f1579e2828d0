import { type ConsentModule, OAuthError, type Scopes, splitScopes, submitted } from '@watchword/protocol';

/** Asks the resource owner, with a box for each scope. The answer is remembered. */
export function consentFormModule(): ConsentModule {
  return {
    name: 'form',
    begin: async () => ({ type: 'form' }),
    resume: async ({ scopes, resourceServer }, submission) => {
      const decision = submitted(submission, 'decision');
      // A submission with both values denies.
      if (submission.get('decision')?.includes('deny')) return { type: 'denied' };
      if (decision !== 'allow') return { type: 'form', status: 400, message: { key: 'consent.none' } };
      const granted = grantedScopes(submission.get('granted_scopes') ?? [], scopes);
      // The login has no box: to allow nothing else is an answer too.
      const isLogin = splitScopes(scopes, resourceServer).openid.includes('openid');
      return granted.length === 0 && scopes.length > 0 && !isLogin
        ? { type: 'form', status: 400, message: { key: 'consent.none' }, ticked: [] }
        : { type: 'consented', scopes: granted, remember: true };
    },
  };
}

/** @throws OAuthError `invalid_request` for a scope that the client did not request */
function grantedScopes(submittedScopes: readonly string[], asked: Scopes): Scopes {
  if (submittedScopes.some((scope) => !asked.includes(scope))) {
    throw new OAuthError('invalid_request', {
      description: 'The form grants a scope that the client did not request.',
      rule: 'consented_scopes',
    });
  }
  return asked.filter((scope) => submittedScopes.includes(scope));
}
