import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { flowDependencies } from '@watchword/testkit';
import { askedScopes, consentedRequest } from '../../src/authorize/asked-scopes.ts';
import type { AuthorizationRequest } from '../../src/authorize/request/authorization-request.ts';
import type { ClaimsRequest } from '../../src/model/claims-request.ts';

/** A request of a client that can have `profile` and `email`. */
async function requested(claims: ClaimsRequest) {
  const deps = await flowDependencies();
  const client = { ...deps.webApp, openidScopes: ['profile', 'email'] as const };
  const { resourceServer } = deps;
  const request = { client, resourceServer, scopes: ['openid'], openid: { claims } };
  return { deps, request: request as unknown as AuthorizationRequest };
}

describe('the claims that a request names', () => {
  it('are asked for by their scopes, but those of the protocol', async () => {
    const { deps, request } = await requested({
      id_token: { acr: null, email: null },
      userinfo: { phone_number: null, name: null },
    });
    assert.deepEqual(askedScopes(request, deps), ['openid', 'email', 'profile']);
  });

  it('are left of each part for which there is consent, and of the protocol always', async () => {
    const of = async (claims: ClaimsRequest, consented: readonly string[]) => {
      const { deps, request } = await requested(claims);
      return JSON.parse(JSON.stringify(consentedRequest(request, ['openid', ...consented], deps).openid));
    };
    const both = { id_token: { email: null }, userinfo: { name: null } };
    assert.deepEqual(await of(both, ['email', 'profile']), { claims: both });
    assert.deepEqual(await of(both, ['email']), { claims: { id_token: { email: null } } });
    assert.deepEqual(await of(both, ['profile']), { claims: { userinfo: { name: null } } });
    assert.deepEqual(await of(both, []), {});
    assert.deepEqual(await of({ id_token: { acr: null } }, []), { claims: { id_token: { acr: null } } });
    // No scope that the client can have gives the claim.
    assert.deepEqual(await of({ userinfo: { phone_number: null } }, ['email']), {});
  });
});
