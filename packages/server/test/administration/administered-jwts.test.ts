import assert from 'node:assert/strict';
import { after, before, describe, it, mock } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import type { Answer } from '@watchword/server-testkit/servers/server';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeJwt } from 'jose';
import { assertError } from '../support/error-answers.ts';

const list = '/admin/accessToken';
const day = 86_400_000;

describe('JWT access tokens over REST', () => {
  let server: AdministrationServer;
  let root: Administering;
  let emma: Administering;
  let api: { id: number; key: string; secret: string };
  let app: { id: number; clientId: string; secret: string };
  let job: { clientId: string; secret: string };
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
    emma = await server.person('emma');
    api = await emma.create('/admin/resourceServer', { ...anApi, accessTokenFormat: 'jwt' });
    const path = `/admin/resourceServer/${api.id}/client`;
    const fields = { ...anApp, scopes: ['read', 'write'], expireDuration: 600 };
    app = await emma.create(path, { ...fields, redirectUris: ['https://app.example/cb'] });
    job = await emma.create(path, { ...fields, clientName: 'Job', allowedClientCredentials: true });
  });
  after(() => server[Symbol.asyncDispose]());

  const isActive = async (token: string) =>
    (await server.post('/v1/tokeninfo', { access_token: token }, `${api.key}:${api.secret}`)).status === 200;
  const lookUp = (who: Administering, token: string): Promise<Answer> =>
    who.call('POST', `${list}/lookup`, { token });

  /** Of a user, by the authorization code flow. */
  async function granted(username: string): Promise<string> {
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=${app.clientId}`;
    const { parameters } = await followFlow(new UserAgent(), url, { username, password: '{}' });
    const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
    return (await server.post('/oauth2/token', form, `${app.clientId}:${app.secret}`)).json.access_token;
  }

  const ofJob = async (): Promise<string> =>
    (
      await server.post(
        '/oauth2/token',
        { grant_type: 'client_credentials' },
        `${job.clientId}:${job.secret}`,
      )
    ).json.access_token;

  it('are found by their text, by callers that can see them, and then by their id', async () => {
    const token = await granted('finn');
    const finn = await server.person('finn');
    const { json, status } = await lookUp(root, ` ${token}\n`);
    assert.equal(status, 200);
    const { jti, exp = 0, iat = 0 } = decodeJwt(token);
    const { id, principal, ...record } = json;
    assert.deepEqual(record, {
      format: 'jwt',
      clientId: app.clientId,
      resourceOwnerId: 'finn',
      resourceOwnerAuthority: 'any-person',
      scopes: ['read', 'write'],
      expires: exp * 1000,
      creationDate: iat * 1000,
      part: false,
    });
    assert.equal(principal.name, 'finn');
    assert.equal(id.split('.')[0], jti);
    assert.deepEqual((await root.get(`${list}/${id}`)).json.scopes, record.scopes);
    const own = await lookUp(finn, token);
    assert.equal(own.json.resourceOwnerId, 'finn');
    assert.equal((await finn.get(`${list}/${own.json.id}`)).status, 200);
    // The owner of the client is not the resource owner.
    for (const who of [emma, await server.person('stranger')]) {
      assertError(await lookUp(who, token), 404, 'not_found');
      assertError(await who.get(`${list}/${id}`), 404, 'not_found');
      assertError(await who.call('DELETE', `${list}/${id}`), 404, 'not_found');
    }
    assert.ok(await isActive(token));
    assert.ok(!server.log().includes(token), server.log());
  });

  it('are revoked by their id, once, by those that can see them', async () => {
    for (const [token, who] of [
      [await granted('gina'), root],
      [await granted('gina'), await server.person('gina')],
      [await ofJob(), root],
    ] as const) {
      const { id } = (await lookUp(who, token)).json;
      assert.equal((await who.call('DELETE', `${list}/${id}`)).status, 204);
      assert.ok(!(await isActive(token)));
      assertError(await who.call('DELETE', `${list}/${id}`), 404, 'not_found');
      assertError(await who.get(`${list}/${id}`), 404, 'not_found');
      assertError(await lookUp(who, token), 404, 'not_found');
      const { json } = await root.get('/admin/auditEvent?limit=1');
      const { jti } = decodeJwt(token);
      assert.deepEqual(
        [json[0].action, json[0].recordType, json[0].recordId],
        ['delete', 'accessToken', jti],
      );
      assert.ok(!JSON.stringify(json).includes(id));
    }
  });

  it('cannot be changed', async () => {
    const token = await granted('hana');
    const { id } = (await lookUp(root, token)).json;
    for (const [method, body] of [
      ['PATCH', { scopes: ['read'] }],
      ['PATCH', { expires: 1 }],
      ['PUT', { scopes: ['read'], expires: 1 }],
    ] as const) {
      const answer = await root.call(method, `${list}/${id}`, body);
      assertError(answer, 409, 'conflict');
      assert.match(answer.json.error_description, /JWT/);
      const stranger = await server.person('stranger');
      assertError(await stranger.call(method, `${list}/${id}`, body), 404, 'not_found');
    }
    assert.ok(await isActive(token));
  });

  it('are named by no id that the server has not made', async () => {
    const token = await granted('iris');
    const [id, other] = [(await lookUp(root, token)).json.id, (await lookUp(root, await ofJob())).json.id];
    const [jti, ...sealed] = id.split('.');
    const [otherJti] = other.split('.');
    for (const made of [
      jti,
      `${otherJti}.${sealed.join('.')}`,
      `${jti}.${sealed[0]}`,
      `${jti}.${sealed[0]}.${sealed[1].slice(0, -2)}AA`,
      `${jti}.${other.split('.').slice(1).join('.')}`,
      `${id}.x`,
    ]) {
      for (const method of ['GET', 'DELETE'])
        assertError(await root.call(method, `${list}/${made}`), 404, 'not_found');
    }
    assert.ok(await isActive(token));
  });

  it('are changed under a condition only in the state that was read', async () => {
    const token = await granted('jana');
    const { json, headers } = await lookUp(root, token);
    const path = `${list}/${json.id}`;
    assertError(
      await root.call('DELETE', path, undefined, { 'if-match': '"other"' }),
      412,
      'precondition_failed',
    );
    assert.ok(await isActive(token));
    const tag = headers.get('etag') ?? '';
    assert.equal((await root.call('DELETE', path, undefined, { 'if-match': tag })).status, 204);
  });

  it('are issued by administration with an expiry of at most a day, and are in no list', async () => {
    const { token, id, format, expires, creationDate } = await emma.create(list, { clientId: app.clientId });
    assert.equal(format, 'jwt');
    assert.equal(Math.round((expires - creationDate) / 1000), 600);
    assert.equal((decodeJwt(token).exp ?? 0) * 1000, expires);
    assert.ok(await isActive(token));
    assert.equal((await emma.get(`${list}/${id}`)).json.resourceOwnerId, 'emma');
    for (const expires of [0, Date.now() + 2 * day]) {
      const answer = await root.call('POST', list, { clientId: app.clientId, expires });
      assertError(answer, 400, 'invalid_request');
      assert.match(answer.json.violations[0], /^expires: /);
    }
    const later = await root.create(list, { clientId: app.clientId, expires: Date.now() + day - 5000 });
    assert.ok(await isActive(later.token));
    assert.deepEqual((await root.get(`${list}?clientId=${app.clientId}`)).json, []);
    assert.equal((await emma.call('DELETE', `${list}/${id}`)).status, 204);
    assert.ok(!(await isActive(token)));
    assert.ok(!server.log().includes(token), server.log());
  });

  it('that have expired are found by their text, and are not revoked by a row', async () => {
    const token = await ofJob();
    const now = Date.now();
    mock.timers.enable({ apis: ['Date'], now: now + 601_000 });
    try {
      const found = await lookUp(await server.administrator(), token);
      assert.ok(found.json.expires < Date.now());
      assert.equal(
        (await server.post('/oauth2/revoke', { token }, `${job.clientId}:${job.secret}`)).status,
        200,
      );
      const revoked = await server.service.store.revocations.listTokens({ from: now + 600_000, limit: 9 });
      assert.deepEqual(revoked, []);
    } finally {
      mock.timers.reset();
    }
  });
});
