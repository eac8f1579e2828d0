import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { type Answer, demoClient } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from '../support/error-answers.ts';

const list = '/admin/accessToken';

interface Token {
  readonly id: string;
  readonly clientId: string;
  readonly resourceOwnerId: string;
  readonly expires: number;
}

describe('access tokens over REST', () => {
  let server: AdministrationServer;
  let root: Administering;
  let emma: Administering;
  let api: { id: number; key: string; secret: string };
  let app: { id: number; clientId: string; secret: string };
  const info = (token: string): Promise<Answer> =>
    server.post('/v1/tokeninfo', { access_token: token }, `${api.key}:${api.secret}`);

  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
    emma = await server.person('emma', { attributes: { DISPLAY_NAME: 'Emma' } });
    api = await emma.create('/admin/resourceServer', anApi);
    app = await emma.create(`/admin/resourceServer/${api.id}/client`, {
      ...anApp,
      scopes: ['read', 'write'],
      redirectUris: ['https://app.example/cb'],
      useRefreshTokens: true,
      expireDuration: 600,
    });
  });
  after(() => server[Symbol.asyncDispose]());

  /** Runs the authorization code flow of the application. */
  async function obtainTokens(username: string): Promise<{ access_token: string; refresh_token: string }> {
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=${app.clientId}`;
    const { parameters } = await followFlow(new UserAgent(), url, { username, password: '{}' });
    const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
    return (await server.post('/oauth2/token', form, `${app.clientId}:${app.secret}`)).json;
  }

  async function all(who: Administering, query: string): Promise<Token[]> {
    const found: Token[] = [];
    let path: string | undefined = `${list}?${query}`;
    while (path !== undefined) {
      const { json, headers } = await who.get(path);
      found.push(...json);
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    return found;
  }

  it('are issued in the name of the caller, and shown once', async () => {
    const now = Date.now();
    const created = await emma.call('POST', list, { clientId: app.clientId, scopes: ['read'] });
    assert.equal(created.status, 201, created.text);
    const { token, expires, creationDate, id, ...record } = created.json;
    assert.deepEqual(record, {
      format: 'opaque',
      clientId: app.clientId,
      resourceOwnerId: 'emma',
      resourceOwnerAuthority: 'any-person',
      scopes: ['read'],
      part: false,
      principal: {
        name: 'emma',
        roles: [],
        groups: [],
        adminPrincipal: false,
        attributes: { DISPLAY_NAME: 'Emma' },
      },
    });
    assert.ok(creationDate >= now);
    assert.equal(expires, creationDate + 600_000);
    assert.equal(created.headers.get('location'), `${list}/${id}`);
    const { token: _, ...shown } = created.json;
    assert.deepEqual((await emma.get(`${list}/${id}`)).json, shown);
    const { json } = await info(token);
    assert.deepEqual([json.principal.name, json.scopes, json.expires_in], ['emma', ['read'], expires]);
  });

  it('expire at the requested time, no later than the registration permits, unless an administrator issues them', async () => {
    const soon = Date.now() + 60_000;
    assert.equal((await emma.create(list, { clientId: app.clientId, expires: soon })).expires, soon);
    for (const expires of [0, Date.now() + 700_000]) {
      const answer = await emma.call('POST', list, { clientId: app.clientId, expires });
      assertError(answer, 400, 'invalid_request');
      assert.match(answer.json.violations[0], /^expires: /);
      assert.equal((await root.create(list, { clientId: app.clientId, expires })).expires, expires);
    }
  });

  it('can lose scopes and change their expiry, and never get a scope back', async () => {
    const { id, token } = await emma.create(list, { clientId: app.clientId });
    const path = `${list}/${id}`;
    const narrowed = await emma.call('PATCH', path, { scopes: ['write'] });
    assert.deepEqual([narrowed.status, narrowed.json.scopes], [200, ['write']]);
    assert.deepEqual((await info(token)).json.scopes, ['write']);
    for (const scopes of [['read'], ['read', 'write'], ['admin']]) {
      assertError(await emma.call('PATCH', path, { scopes }), 400, 'invalid_request');
    }
    assertError(await emma.call('PUT', path, { scopes: ['write'] }), 400, 'invalid_request');
    const past = await emma.call('PUT', path, { scopes: ['write'], expires: 1 });
    assert.equal(past.json.expires, 1);
    assert.equal((await info(token)).status, 410);
  });

  it('that were prolonged are not purged with their old expiry', async () => {
    const { id, token, creationDate } = await root.create(list, {
      clientId: app.clientId,
      expires: Date.now() + 1000,
    });
    await root.call('PATCH', `${list}/${id}`, { expires: creationDate + 900_000_000 });
    const { store } = server.service;
    await store.purge({ expiredBefore: creationDate + 2000, deletedBefore: 0, batchSize: 100 });
    assert.equal((await info(token)).status, 200);
  });

  it('are found by their whole text, by callers that can see them, and the text is in no log', async () => {
    const { token, ...shown } = await emma.create(list, { clientId: app.clientId });
    const lookUp = (who: Administering, text: unknown) => who.call('POST', `${list}/lookup`, { token: text });
    for (const who of [emma, root]) assert.deepEqual((await lookUp(who, ` ${token}\n`)).json, shown);
    const reader = await server.person('emma', {}, 'read');
    assert.deepEqual((await lookUp(reader, token)).json, shown);
    const stranger = await server.person('stranger');
    assertError(await lookUp(stranger, token), 404, 'not_found');
    const { refresh_token } = await obtainTokens('emma');
    for (const text of [token.slice(0, -1), `${token}A`, token.toUpperCase(), shown.id, refresh_token, 'x']) {
      assertError(await lookUp(root, text), 404, 'not_found');
    }
    for (const text of [1, [token], undefined]) {
      assertError(await lookUp(root, text), 400, 'invalid_request');
    }
    assert.ok(!server.log().includes(token), server.log());
    await emma.call('DELETE', `${list}/${shown.id}`);
    assertError(await lookUp(root, token), 404, 'not_found');
  });

  it('are revoked immediately, one at a time', async () => {
    const [first, second] = [
      await emma.create(list, { clientId: app.clientId }),
      await emma.create(list, { clientId: app.clientId }),
    ];
    assert.equal((await emma.call('DELETE', `${list}/${first.id}`)).status, 204);
    assert.deepEqual([(await info(first.token)).status, (await info(second.token)).status], [404, 200]);
    assertError(await emma.call('DELETE', `${list}/${first.id}`), 404, 'not_found');
  });

  it('are listed for their resource owner, the newest first, for every way of issue', async () => {
    const finn = await server.person('finn');
    await obtainTokens('finn');
    await obtainTokens('finn');
    const found = await all(finn, 'limit=1');
    assert.deepEqual(
      found.map(({ clientId }) => clientId),
      [app.clientId, app.clientId, 'authorization-server-admin-js-client'],
    );
    assert.deepEqual(await all(finn, `limit=2&clientId=${app.clientId}`), found.slice(0, 2));
    assert.deepEqual(await all(finn, 'q=NIGHT'), found.slice(0, 2));
    assert.deepEqual(await all(finn, 'resourceOwnerId=finn'), found);
    assert.deepEqual(await all(finn, 'resourceOwnerId=emma'), []);
    assert.deepEqual(await all(finn, 'expired=true'), []);
    assert.deepEqual(await all(finn, 'expired=false'), found);
  });

  it('are listed for a resource owner under every name, and not for the next user of a name', async () => {
    const before = await server.person('anna', { stableId: 'person 1' });
    const own = await before.create('/admin/resourceServer', { ...anApi, name: 'API of Anna' });
    const { clientId } = await before.create(`/admin/resourceServer/${own.id}/client`, anApp);
    const { id } = await before.create(list, { clientId });
    const renamed = await server.person('anna smith', { stableId: 'person 1' });
    const namesake = await server.person('anna', { stableId: 'person 2' });
    const isListed = async (who: Administering) =>
      (await all(who, 'limit=2')).some((token) => token.id === id);
    assert.deepEqual([await isListed(renamed), await isListed(namesake)], [true, false]);
    assert.equal((await namesake.get(`${list}/${id}`)).status, 404);
    assert.equal((await renamed.call('DELETE', `${list}/${id}`)).status, 204);
  });

  it('are found by administrators by client, by name of the resource owner, by both, and by text, each once', async () => {
    await server.issueToken();
    await server.post('/oauth2/token', { grant_type: 'client_credentials' }, demoClient);
    const gina = await server.person('gina');
    await obtainTokens('gina');
    await server.person('gina', { identityProvider: 'https://idp.example' });
    const everybody = await all(root, 'limit=3');
    const ids = (tokens: readonly Token[]) => tokens.map(({ id }) => id).toSorted();
    assert.equal(new Set(ids(everybody)).size, everybody.length);
    for (const [query, isWanted] of [
      ['resourceOwnerId=gina', ({ resourceOwnerId }: Token) => resourceOwnerId === 'gina'],
      ['resourceOwnerId=demo-service', ({ resourceOwnerId }: Token) => resourceOwnerId === 'demo-service'],
      [`clientId=${app.clientId}`, ({ clientId }: Token) => clientId === app.clientId],
      ['clientId=nobody', () => false],
      [
        `clientId=${app.clientId}&resourceOwnerId=gina`,
        ({ clientId, resourceOwnerId }: Token) => clientId === app.clientId && resourceOwnerId === 'gina',
      ],
      ['q=demo', ({ clientId }: Token) => clientId.includes('demo')],
      ['q=GIN', ({ resourceOwnerId }: Token) => resourceOwnerId === 'gina'],
    ] as const) {
      const expected = everybody.filter(isWanted);
      if (query !== 'clientId=nobody') assert.ok(expected.length > 0, query);
      assert.deepEqual(ids(await all(root, `limit=2&${query}`)), ids(expected), query);
    }
    const identityProviders = (await all(root, 'resourceOwnerId=gina')).map(
      (token) => (token as Token & { resourceOwnerAuthority: string }).resourceOwnerAuthority,
    );
    assert.deepEqual([...new Set(identityProviders)].toSorted(), ['any-person', 'https://idp.example']);
    assert.equal((await all(gina, '')).length, identityProviders.length - 1);
  });

  it('that have expired can be filtered until they are removed', async () => {
    const { id } = await emma.create(list, { clientId: app.clientId, expires: Date.now() + 1000 });
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 2000 });
    try {
      assert.ok((await all(emma, 'expired=true')).some((token) => token.id === id));
      assert.ok(!(await all(emma, 'expired=false')).some((token) => token.id === id));
      assert.equal((await emma.get(`${list}/${id}`)).status, 200);
    } finally {
      mock.timers.reset();
    }
  });

  it('of a client are all revoked at once, with codes and refresh tokens, and new ones are valid', async () => {
    const hana = await obtainTokens('hana');
    const path = `/admin/resourceServer/${api.id}/client/${app.id}/revocation`;
    assert.equal((await emma.call('POST', path)).status, 204);
    assert.equal((await info(hana.access_token)).status, 404);
    const refresh = { grant_type: 'refresh_token', refresh_token: hana.refresh_token };
    assertError(
      await server.post('/oauth2/token', refresh, `${app.clientId}:${app.secret}`),
      400,
      'invalid_grant',
    );
    assert.deepEqual(await all(root, `clientId=${app.clientId}`), []);
    const again = await obtainTokens('hana');
    assert.equal((await info(again.access_token)).status, 200);
    assert.equal((await all(root, `clientId=${app.clientId}`)).length, 1);
  });

  it('of a resource owner are all revoked at once, with login sessions, and those of a namesake are not', async () => {
    const agent = new UserAgent();
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=${app.clientId}`;
    await followFlow(agent, url, { username: 'ines', password: '{}' });
    const own = await obtainTokens('ines');
    const namesake = await server.person('ines', { identityProvider: 'https://idp.example' });
    const ines = await server.person('ines');
    const who = { resourceOwnerId: 'ines', resourceOwnerAuthority: 'any-person' };
    const answer = await ines.call('POST', '/admin/resourceOwner/revocation', who);
    assert.equal(answer.status, 200, answer.text);
    assert.ok(answer.json.grants >= 3 && answer.json.loginSessions >= 2, answer.text);
    assert.equal((await info(own.access_token)).status, 404);
    assert.equal((await ines.get(list)).status, 401);
    assert.equal((await namesake.get(list)).status, 200);
    assert.ok(
      (await agent.get(url)).forms.some(({ controls }) => controls.some(({ name }) => name === 'username')),
    );
    assert.deepEqual((await root.call('POST', '/admin/resourceOwner/revocation', who)).json, {
      grants: 0,
      loginSessions: 0,
    });
  });
});
