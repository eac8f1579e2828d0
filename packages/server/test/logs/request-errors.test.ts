import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import {
  type Administering,
  type AdministrationServer,
  anApp,
  type OwnedAdministration,
  startAdministration,
  startOwnedAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { type Answer, demoClient } from '@watchword/server-testkit/servers/server';

const list = '/admin/requestError';

interface App {
  readonly id: number;
  readonly clientId: string;
  readonly secret: string;
}

interface Found {
  readonly endpoint: string;
  readonly error: string;
  readonly authenticated: boolean;
}

interface Listed {
  readonly client: { readonly clientId: string };
  readonly error: string;
  readonly reason: string;
  readonly requests: number;
}

describe('request errors over REST', () => {
  let server: OwnedAdministration['server'];
  let root: Administering;
  let owner: Administering;
  let stranger: Administering;
  let api: OwnedAdministration['api'];

  before(async () => {
    ({ server, root, owner, stranger, api } = await startOwnedAdministration());
  });
  after(() => server[Symbol.asyncDispose]());

  const register = (clientName: string, fields: object = {}): Promise<App> =>
    owner.create(`/admin/resourceServer/${api.id}/client`, {
      ...anApp,
      clientName,
      allowedClientCredentials: true,
      ...fields,
    });
  const token = ({ clientId, secret }: App, form: Record<string, string>, sent = secret) =>
    server.post('/oauth2/token', form, `${clientId}:${sent}`);

  it('have client, endpoint, error and reason, for administrators and the record owner, and for no other owner', async () => {
    const app = await register('Refused');
    const start = Date.now();
    const answer = await token(app, { grant_type: 'client_credentials', scope: 'read admin' });
    assert.equal(answer.json.error, 'invalid_scope');
    const [{ id, time, requestId, ...error }, ...others] = (
      await owner.get(`${list}?clientId=${app.clientId}`)
    ).json;
    assert.deepEqual(others, []);
    assert.ok(time >= start && time <= Date.now());
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.ok(server.log().includes(`"requestId":"${requestId}"`));
    const { clientId } = app;
    assert.deepEqual(error, {
      client: { id: app.id, clientId, clientName: 'Refused', resourceserver_id: api.id },
      endpoint: 'token',
      error: 'invalid_scope',
      reason: 'The request asks for the scope "admin". It can be granted: read.',
      rule: 'available_scope',
      expected: 'read',
      came: '"admin"',
      authenticated: true,
    });
    assert.equal((await root.get(`${list}?clientId=${clientId}`)).json.length, 1);
    assert.deepEqual((await stranger.get(`${list}?clientId=${clientId}`)).json, []);
    assert.deepEqual((await stranger.get(list)).json, []);
    assert.deepEqual((await stranger.get(`${list}/summary`)).json, { requestErrors: [], dropped: 0 });
  });

  it('are counted by client and reason, the most frequent first', async () => {
    const [one, two] = [await register('One'), await register('Two')];
    for (const _ of '12') await token(one, { grant_type: 'client_credentials' }, 'wrong');
    await token(one, { grant_type: 'client_credentials', scope: 'admin' });
    await token(two, { grant_type: 'client_credentials', scope: 'admin' });
    const { requestErrors } = (await owner.get(`${list}/summary?clientId=${one.clientId}&hours=1`)).json;
    assert.deepEqual(
      requestErrors.map(({ error, requests }: Listed) => [error, requests]),
      [
        ['invalid_client', 2],
        ['invalid_scope', 1],
      ],
    );
    const all: Listed[] = (await owner.get(`${list}/summary`)).json.requestErrors;
    assert.ok(all.some(({ client }) => client.clientId === two.clientId));
    assert.equal((await owner.get(`${list}/summary?hours=25`)).status, 400);
  });

  it('are listed by error code, page by page, each once', async () => {
    const app = await register('Paged');
    for (const scope of ['a', 'b', 'c']) await token(app, { grant_type: 'client_credentials', scope });
    await token(app, { grant_type: 'x' });
    const reasons: (string | undefined)[] = [];
    let path: string | undefined = `${list}?clientId=${app.clientId}&error=invalid_scope&limit=1`;
    while (path !== undefined) {
      const { json, headers }: Answer = await owner.get(path);
      reasons.push(...json.map(({ reason }: Listed) => /"(.)"/.exec(reason)?.[1]));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(reasons.toSorted(), ['a', 'b', 'c']);
  });

  it('of authorization, revocation, introspection and token info are reported with their endpoint', async () => {
    using clock = stoppedClock();
    const app = await register('Everywhere', {
      redirectUris: ['https://app.example/cb'],
      expireDuration: 60,
    });
    const as = `${app.clientId}:${app.secret}`;
    const query = `response_type=code&client_id=${app.clientId}&redirect_uri=https%3A%2F%2Fapp.example%2Fother`;
    assert.equal((await server.get(`/authorize?${query}`)).status, 400);
    await server.post('/oauth2/revoke', {}, as);
    await server.post('/oauth2/introspect', {}, as);
    const { access_token } = (await token(app, { grant_type: 'client_credentials' })).json;
    clock.advance(60);
    const info = await server.post('/v1/tokeninfo', { access_token }, `${api.key}:${api.secret}`);
    assert.equal(info.status, 410);
    const { json } = await owner.get(`${list}?clientId=${app.clientId}`);
    assert.deepEqual(
      json.map((found: Found) => `${found.endpoint} ${found.error} ${found.authenticated}`).toSorted(),
      [
        'authorization invalid_request false',
        'introspection invalid_request true',
        'revocation invalid_request true',
        'tokenInfo token_expired false',
      ],
    );
  });

  it('of logout are reported for the client that client_id or the ID token names', async () => {
    const post_logout_redirect_uri = 'https://app.example/other';
    const anyone = { username: 'emma', password: '{}' };
    const application = await registerApplication(server, { skipConsent: true });
    const { clientId } = application.client;
    const { parameters } = await application.authorize({ scope: 'openid', nonce: 'n' }, anyone);
    const { id_token } = (await application.redeem(parameters.get('code') ?? '')).json;
    for (const names of [{ client_id: clientId }, { id_token_hint: id_token }]) {
      const query = new URLSearchParams({ ...names, post_logout_redirect_uri });
      assert.equal((await server.get(`/oauth2/logout?${query}`)).status, 400);
    }
    const nobody = new URLSearchParams({ client_id: 'unknown', post_logout_redirect_uri });
    assert.equal((await server.get(`/oauth2/logout?${nobody}`)).status, 400);
    const { json } = await root.get(`${list}?clientId=${clientId}`);
    const found = json.map((each: Found & Listed) => [each.endpoint, each.error, each.authenticated]);
    assert.deepEqual(found, Array(2).fill(['logout', 'invalid_request', false]));
    assert.match(json[0].reason, /post_logout_redirect_uri is not one that the client has registered/);
    assert.ok(!JSON.stringify(json).includes(id_token));
  });

  it('of a deleted client are not listed', async () => {
    const app = await register('Deleted');
    await token(app, { grant_type: 'x' });
    const errors = async () =>
      (await root.get(`${list}?limit=1000`)).json.filter(
        ({ client }: Listed) => client.clientId === app.clientId,
      );
    assert.equal((await errors()).length, 1);
    await owner.call('DELETE', `/admin/resourceServer/${api.id}/client/${app.id}`);
    assert.deepEqual(await errors(), []);
    assert.deepEqual((await root.get(`${list}?clientId=${app.clientId}`)).json, []);
  });
});

describe('stored request errors', () => {
  it('outlast a restart, each once, if the client was authenticated', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    const listed = async (server: AdministrationServer) => {
      const root = await server.administrator();
      const { json } = await root.get(`${list}?clientId=demo-service`);
      return json.map(({ error, authenticated }: Found) => [error, authenticated]);
    };
    {
      await using server = await startAdministration({ database });
      await server.post('/oauth2/token', { grant_type: 'client_credentials' }, 'demo-service:wrong');
      await server.post('/oauth2/token', { grant_type: 'client_credentials', scope: 'x' }, demoClient);
      assert.deepEqual((await listed(server)).toSorted(), [
        ['invalid_client', false],
        ['invalid_scope', true],
      ]);
    }
    await using server = await startAdministration({ database });
    assert.deepEqual(await listed(server), [['invalid_scope', true]]);
    await server.post('/oauth2/token', { grant_type: 'x' }, demoClient);
    assert.deepEqual(await listed(server), [
      ['unsupported_grant_type', true],
      ['invalid_scope', true],
    ]);
  });
});
