import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  administrationClientId,
  administrationKey,
  introspectionEndpoint,
  systemIdentityProvider,
  tokenInfoEndpoint,
} from '@watchword/protocol';
import {
  authorizationRequest,
  buildAdministrator,
  buildClient,
  buildResourceServer,
  clientRequest,
  flowDependencies,
  introspectRequest,
  presentedRequest,
  protocolError,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import { authenticateCaller } from '../../src/callers/authenticate-caller.ts';
import { accessTokenAdministration } from '../../src/tokens/access-tokens.ts';

const origin = { clientId: undefined, source: '192.0.2.7' };

/** A user with a token of the administration pages, and one of another client of the administration. */
async function signedIn() {
  const flow = await flowDependencies();
  const { store, random, sealer } = { ...flow, ...flow.dependencies };
  const built = { id: 2, key: administrationKey, ownerAuthority: systemIdentityProvider };
  store.putResourceServer(buildResourceServer({ ...built, scopes: ['read', 'write'] }));
  const pages = {
    allowedImplicitGrant: true,
    confidential: false,
    secret: undefined,
    skipConsent: true,
    redirectUris: ['https://app.example/cb'],
    resourceServerId: 2,
    expireDuration: 100_000,
  };
  store.putClient(buildClient({ ...pages, id: 20, clientId: administrationClientId }));
  store.putClient(buildClient({ ...pages, id: 21, clientId: 'own-pages' }));
  const browser = new TestBrowser();
  const tokenOf = async (client_id: string) =>
    (await flow.grant({ response_type: 'token', client_id }, browser)).get('access_token') ?? '';
  const token = await tokenOf(administrationClientId);
  const credentials = `${administrationKey}:resource-server-secret`;
  const accessTokens = accessTokenAdministration({
    ...flow,
    ...store,
    random,
    registered: store,
    openSealer: async () => sealer,
  });
  const use = (value = token) => {
    return authenticateCaller(presentedRequest(`Bearer ${value}`), 'read', {
      ...flow,
      rights: flow.store.rights,
    });
  };
  return {
    ...flow,
    browser,
    token,
    use,
    otherToken: await tokenOf('own-pages'),
    endSession: () => flow.sessions.end(browser.state, origin),
    info: (value = token) => tokenInfoEndpoint(flow)(clientRequest({}, credentials), () => value),
    introspect: () => introspectionEndpoint(flow)(introspectRequest(token, credentials)),
    lookUp: () => accessTokens.lookUp(buildAdministrator(), token),
    listed: async () => (await accessTokens.list(buildAdministrator(), {}, { limit: 9 })).items.length,
  };
}

describe('a token of the administration pages', () => {
  it('ends with its login session, in every answer, and no token of another client does', async () => {
    const { use, info, introspect, lookUp, listed, endSession, otherToken } = await signedIn();
    assert.equal((await use()).identity.name, 'emma');
    assert.ok((await introspect()).active);
    await info();
    await lookUp();
    assert.equal(await listed(), 2);
    await endSession();
    await assert.rejects(use(), protocolError('invalid_token'));
    await assert.rejects(info(), protocolError('token_not_found'));
    await assert.rejects(lookUp(), protocolError('token_not_found'));
    assert.deepEqual(await introspect(), { active: false });
    assert.equal(await listed(), 1);
    assert.equal((await use(otherToken)).identity.name, 'emma');
    await info(otherToken);
  });

  it('ends when its session has expired, and when nobody has used that for too long', async () => {
    const idle = await signedIn();
    idle.clock.advance(1_000_000);
    await assert.rejects(idle.use(), protocolError('invalid_token'));
    const used = await signedIn();
    for (const _ of '12345') {
      await used.use();
      used.clock.advance(990_000);
    }
    await used.use();
    used.clock.advance(50_000);
    await assert.rejects(used.use(), protocolError('invalid_token'));
    await used.use(used.otherToken);
  });

  it('is used with its session, which goes on in the browser', async () => {
    const { use, listed, clock, sessions, browser, dependencies } = await signedIn();
    const goesOn = async () =>
      (await sessions.current(browser.state, dependencies.authenticators)) !== undefined;
    clock.advance(900_000);
    await use();
    clock.advance(900_000);
    assert.ok(await goesOn());
    clock.advance(900_000);
    // A look at a list is no use of the tokens in it.
    await listed();
    clock.advance(100_000);
    assert.ok(!(await goesOn()));
  });

  it('goes on when the same person logs in again in the browser, and ends with the login of another one', async () => {
    const { use, authorization, browser } = await signedIn();
    const logIn = async (username: string) => {
      const request = authorizationRequest({ prompt: 'login' });
      const page = browser.take(await authorization.authorize(request, browser.state));
      assert.ok(page.type === 'login', page.type);
      const form = submission({ auth_state: page.authState, username });
      browser.take(await authorization.login(form, browser.state));
    };
    await logIn('emma');
    assert.equal((await use()).identity.name, 'emma');
    await logIn('noah');
    await assert.rejects(use(), protocolError('invalid_token'));
  });
});
