import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildResourceServer,
  clientRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  introspectRequest,
} from '@watchword/testkit';
import { introspectionEndpoint } from '../../src/endpoints/introspection.ts';
import { withJavaTypeInformation } from '../../src/endpoints/java-type-information.ts';
import { tokenInfoEndpoint } from '../../src/endpoints/token-info.ts';
import type { ResourceServer } from '../../src/model/records/resource-server.ts';

const api = 'test-api:resource-server-secret';
const names = ['auth_time', 'acr'];

describe('the login of the user', () => {
  it('is told by token info and introspection to a resource server that asks for it, and to nobody else', async () => {
    const { deps, access_token, loggedInAt } = await issued({ loginDetails: true });
    const details = { auth_time: loggedInAt, acr: 'gold' };
    deepMembers(await info(deps, access_token), details);
    deepMembers(await introspected(deps, access_token, api), details);
    deepMembers(await introspected(deps, access_token, 'web-app:client-secret'), {});
    deps.store.putResourceServer(buildResourceServer({ loginDetails: false }));
    deepMembers(await info(deps, access_token), {});
    deepMembers(await introspected(deps, access_token, api), {});
  });

  it('is that of the first token, after a refresh too', async () => {
    const { deps, refresh_token = '', loggedInAt } = await issued({ loginDetails: true });
    deps.clock.advance(100_000);
    const refreshed = await deps.token({ grant_type: 'refresh_token', refresh_token });
    deepMembers(await info(deps, refreshed.access_token), { auth_time: loggedInAt, acr: 'gold' });
    deepMembers(await introspected(deps, refreshed.access_token, api), {
      auth_time: loggedInAt,
      acr: 'gold',
    });
  });

  it('has no acr where none was reached, and is null for a client that acts for itself', async () => {
    const { deps, access_token, loggedInAt } = await issued({ loginDetails: true }, '');
    deepMembers(await info(deps, access_token), { auth_time: loggedInAt });
    deepMembers(await introspected(deps, access_token, api), { auth_time: loggedInAt });
    const own = await deps.issue();
    deepMembers(await info(deps, own), { auth_time: null });
    deepMembers(await introspected(deps, own, api), {});
  });

  it('is told of a JWT as of an opaque token', async () => {
    const { deps, access_token, loggedInAt } = await issued({ loginDetails: true, accessTokenFormat: 'jwt' });
    const details = { auth_time: loggedInAt, acr: 'gold' };
    deepMembers(await info(deps, access_token), details);
    deepMembers(await introspected(deps, access_token, api), details);
    const claims = await deps.signer.verify(access_token, { type: 'at+jwt', keys: 'published' });
    deepMembers({ ...claims }, details);
  });

  it('stands in the form with Java types as plain values', async () => {
    const { deps, access_token, loggedInAt } = await issued({ loginDetails: true });
    const [, written] = withJavaTypeInformation(await info(deps, access_token));
    deepMembers(written as object, { auth_time: loggedInAt, acr: 'gold' });
  });
});

const info = (deps: FlowDependencies, token: string) =>
  tokenInfoEndpoint(deps)(clientRequest({}, api), () => token);
const introspected = (deps: FlowDependencies, token: string, credentials: string) =>
  introspectionEndpoint(deps)(introspectRequest(token, credentials));

/** Only these members, of those that tell of a login. */
function deepMembers(answer: object, expected: object) {
  const told = Object.entries(answer).filter(([name]) => names.includes(name));
  assert.deepEqual(Object.fromEntries(told), expected);
}

/** What a client got after a login of emma, half a minute before. */
async function issued(resourceServer: Partial<ResourceServer>, acr = 'gold') {
  const deps = await flowDependencies({
    authenticator: {
      name: 'test-login',
      begin: async () => ({ type: 'form' }),
      resume: async () => ({ type: 'authenticated', principal: emma(), ...(acr !== '' && { acr }) }),
    },
  });
  deps.store.putResourceServer(buildResourceServer(resourceServer));
  const loggedInAt = Math.floor(deps.clock.now() / 1000);
  const code = (await deps.grant({ scope: 'read' })).get('code') ?? '';
  deps.clock.advance(30_000);
  const redirect_uri = 'https://app.example/cb';
  const tokens = await deps.token({ grant_type: 'authorization_code', code, redirect_uri });
  return { deps, loggedInAt, ...tokens };
}
