import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { createLocalJWKSet, type JWTPayload, jwtVerify } from 'jose';
import { assertError } from '../support/error-answers.ts';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface Api {
  readonly id: number;
  readonly key: string;
  readonly credentials: string;
}

interface App {
  readonly path: string;
  readonly clientId: string;
  readonly credentials: string;
}

const redirectUri = 'https://app.example/cb';

describe('JWT access tokens', () => {
  let server: AdministrationServer;
  let root: Administering;
  let emma: Administering;
  let api: Api;
  let app: App;
  let job: App;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
    emma = await server.person('emma');
    ({ api, app, job } = await registered('Orders API'));
  });
  after(() => server[Symbol.asyncDispose]());

  /** An API with JWTs, a web application and a job. */
  async function registered(name: string): Promise<{ api: Api; app: App; job: App }> {
    const fields = { ...anApi, name, accessTokenFormat: 'jwt' };
    const { id, key, secret } = await emma.create('/admin/resourceServer', fields);
    const register = async (registration: object): Promise<App> => {
      const path = `/admin/resourceServer/${id}/client`;
      const all = { ...anApp, scopes: ['read', 'write'], expireDuration: 600, ...registration };
      const client = await emma.create(path, all);
      const credentials = `${client.clientId}:${client.secret}`;
      return { path: `${path}/${client.id}`, clientId: client.clientId, credentials };
    };
    return {
      api: { id, key, credentials: `${key}:${secret}` },
      app: await register({ clientName: 'Shop', redirectUris: [redirectUri], useRefreshTokens: true }),
      job: await register({ clientName: 'Job', allowedClientCredentials: true }),
    };
  }

  const issue = async (client = job, form: Record<string, string> = {}): Promise<string> => {
    const all = { grant_type: 'client_credentials', ...form };
    const answer = await server.post('/oauth2/token', all, client.credentials);
    assert.equal(answer.status, 200, answer.text);
    return answer.json.access_token;
  };

  /** Runs the authorization code flow. */
  async function obtain(client = app, username = 'finn', persona: object = {}): Promise<Tokens> {
    const url = `${server.baseUrl}/authorize?response_type=code&client_id=${client.clientId}`;
    const answers = { username, password: JSON.stringify(persona) };
    const { parameters } = await followFlow(new UserAgent(), url, answers);
    const form = { grant_type: 'authorization_code', code: parameters.get('code') ?? '' };
    const answer = await server.post('/oauth2/token', form, client.credentials);
    assert.equal(answer.status, 200, answer.text);
    return answer.json;
  }

  const info = (token: string, of = api) =>
    server.post('/v1/tokeninfo', { access_token: token }, of.credentials);
  const introspect = (token: string, of = api) =>
    server.post('/oauth2/introspect', { token }, of.credentials);
  const isActive = async (token: string, of = api) => {
    const [{ status }, { json }] = [await info(token, of), await introspect(token, of)];
    assert.equal(status === 200, json.active);
    return status === 200;
  };

  /** Verifies the token as an API does, by the published keys alone. */
  async function verified(token: string, of = api): Promise<JWTPayload & Record<string, unknown>> {
    const keys = createLocalJWKSet(JSON.parse((await server.get('/oauth2/jwks')).text));
    const { payload } = await jwtVerify(token, keys, {
      issuer: server.service.baseUrl,
      audience: of.key,
      typ: 'at+jwt',
      algorithms: ['RS256'],
      requiredClaims: ['jti', 'client_id', 'iat', 'exp', 'sub'],
    });
    return payload;
  }

  describe('of a client that acts for itself', () => {
    it('are verified by the published keys, and have the claims of RFC 9068', async () => {
      const earliest = Math.floor(Date.now() / 1000);
      const { iat = 0, exp = 0, jti, ...claims } = await verified(await issue(job, { scope: 'read' }));
      assert.deepEqual(claims, {
        iss: server.service.baseUrl,
        aud: api.key,
        sub: job.clientId,
        client_id: job.clientId,
        scope: 'read',
      });
      assert.equal(exp - iat, 600);
      assert.ok(iat >= earliest && iat <= Date.now() / 1000 + 1);
    });

    it('write nothing to the database', async () => {
      const commits = async () =>
        Number(/^watchword_commit_batch_size_count (\d+)/m.exec((await server.get('/metrics')).text)?.[1]);
      const issues = 20;
      await issue();
      const before = await commits();
      for (let round = 0; round < issues; round += 1) await issue();
      const after = await commits();
      // One after the other, each would have a commit of its own; the work in the background has a few.
      assert.ok(after - before < issues / 2, `${after - before} commits`);
      assert.deepEqual((await root.get(`/admin/accessToken?clientId=${job.clientId}`)).json, []);
    });
  });

  describe('of a resource owner', () => {
    it('name the user, roles, groups and the login, at the token endpoint and in the implicit grant', async () => {
      const persona = { roles: ['staff'], groups: ['blue', 'green'] };
      const { access_token } = await obtain(app, 'gina', persona);
      const claims = await verified(access_token);
      assert.deepEqual([claims.roles, claims.groups], [persona.roles, persona.groups]);
      assert.equal(claims.scope, 'read write');
      assert.equal(claims.client_id, app.clientId);
      assert.ok(Number(claims.auth_time) <= (claims.iat ?? 0));
      const { json } = await info(access_token);
      assert.deepEqual(
        [json.audience, json.principal.name, json.principal.roles, json.scopes, json.expires_in],
        ['Shop', 'gina', ['staff'], ['read', 'write'], (claims.exp ?? 0) * 1000],
      );
      const introspected = (await introspect(access_token)).json;
      for (const claim of ['sub', 'iss', 'aud', 'exp', 'iat', 'jti', 'client_id', 'scope'] as const)
        assert.deepEqual(introspected[claim], claims[claim], claim);
    });

    it('are issued for a code and for refresh tokens, and not stored', async () => {
      const first = await obtain(app, 'hana');
      const form = { grant_type: 'refresh_token', refresh_token: first.refresh_token, scope: 'read' };
      const next = (await server.post('/oauth2/token', form, app.credentials)).json;
      const [one, two] = [await verified(first.access_token), await verified(next.access_token)];
      assert.deepEqual([one.scope, two.scope], ['read write', 'read']);
      assert.equal(one.grant_id, two.grant_id);
      assert.equal(one.sub, two.sub);
      assert.notEqual(one.jti, two.jti);
      assert.deepEqual((await root.get(`/admin/accessToken?clientId=${app.clientId}`)).json, []);
    });

    it('outlive no grant, and are listed by it', async () => {
      const { access_token } = await obtain(app, 'iris');
      const { grant_id, sub } = await verified(access_token);
      const { json } = await root.get(`/admin/grant?subject=${sub}`);
      assert.deepEqual(
        json.map(({ id }: { id: string }) => id),
        [grant_id],
      );
    });
  });

  describe('are refused at once', () => {
    it('when the client revokes one, and no other one is', async () => {
      const [first, second] = [await issue(), await issue()];
      await server.post('/oauth2/revoke', { token: first }, app.credentials);
      assert.ok(await isActive(first));
      await server.post('/oauth2/revoke', { token: first }, job.credentials);
      assert.deepEqual([await isActive(first), await isActive(second)], [false, true]);
    });

    it('when the refresh token is revoked', async () => {
      const { access_token, refresh_token } = await obtain();
      await server.post('/oauth2/revoke', { token: refresh_token }, app.credentials);
      assert.ok(!(await isActive(access_token)));
    });

    it('when the grant is ended by an administrator', async () => {
      const { access_token } = await obtain(app, 'jana');
      const { grant_id } = await verified(access_token);
      assert.equal((await root.call('DELETE', `/admin/grant/${grant_id}`)).status, 204);
      assert.ok(!(await isActive(access_token)));
    });

    it('when everything of the resource owner is revoked', async () => {
      const { access_token } = await obtain(app, 'karl');
      const who = { resourceOwnerId: 'karl', resourceOwnerAuthority: 'any-person' };
      assert.equal((await root.call('POST', '/admin/resourceOwner/revocation', who)).status, 200);
      assert.ok(!(await isActive(access_token)));
    });

    it('when all tokens of the client are revoked, and new ones of the same second are valid', async () => {
      const { job: own, api: ofOwn } = await registered('Revoked API');
      const before = await issue(own);
      assert.equal((await emma.call('POST', `${own.path}/revocation`)).status, 204);
      assert.ok(!(await isActive(before, ofOwn)));
      assert.ok(await isActive(await issue(own), ofOwn));
    });

    it('when the client is deleted, and are not those of the next client of that clientId', async () => {
      const { job: own, api: ofOwn } = await registered('Deleted clients API');
      const token = await issue(own);
      assert.ok(await isActive(token, ofOwn));
      assert.equal((await emma.call('DELETE', own.path)).status, 204);
      assert.ok(!(await isActive(token, ofOwn)));
      const { store } = server.service;
      const client = await store.clients.create(
        {
          ...((await store.clients.find(job.clientId)) ?? assert.fail('no client')),
          resourceServerId: ofOwn.id,
        },
        [own.clientId],
      );
      await store.refreshRegistry();
      assert.equal(client?.clientId, own.clientId);
      assert.ok(!(await isActive(token, ofOwn)));
      assert.ok(
        await isActive(
          await issue({ ...own, credentials: `${own.clientId}:${job.credentials.split(':')[1]}` }),
          ofOwn,
        ),
      );
    });

    it('while the resource server has opaque tokens', async () => {
      const { job: own, api: ofOwn } = await registered('Opaque API');
      const token = await issue(own);
      const setFormat = async (accessTokenFormat: string) => {
        const path = `/admin/resourceServer/${ofOwn.id}`;
        assert.equal((await emma.call('PATCH', path, { accessTokenFormat })).status, 200);
      };
      await setFormat('opaque');
      assert.ok(!(await isActive(token, ofOwn)));
      const opaque = await issue(own);
      assert.match(opaque, /^wwa_/);
      await setFormat('jwt');
      assert.deepEqual([await isActive(token, ofOwn), await isActive(opaque, ofOwn)], [true, true]);
    });

    it('when the resource server is deleted', async () => {
      const { job: own, api: ofOwn } = await registered('Deleted API');
      const token = await issue(own);
      assert.equal((await emma.call('DELETE', `/admin/resourceServer/${ofOwn.id}`)).status, 204);
      assert.equal((await introspect(token, ofOwn)).status, 401);
      assertError(await info(token), 404, 'not_found');
    });

    it('by another resource server, which learns nothing about them', async () => {
      const { api: other } = await registered('Other API');
      const token = await issue();
      assertError(await info(token, other), 404, 'not_found');
      assert.deepEqual((await introspect(token, other)).json, { active: false });
      await assert.rejects(verified(token, other), /unexpected "aud"/);
    });
  });

  it('lose the scopes that their client loses', async () => {
    const { job: own, api: ofOwn } = await registered('Shrinking API');
    const token = await issue(own);
    assert.equal((await emma.call('PATCH', own.path, { scopes: ['write'] })).status, 200);
    assert.deepEqual((await info(token, ofOwn)).json.scopes, ['write']);
    assert.equal((await introspect(token, ofOwn)).json.scope, 'write');
  });

  it('are counted as issued, and not as stored', async () => {
    const { job: own } = await registered('Counted API');
    for (let round = 0; round < 3; round += 1) await issue(own);
    const { json } = await emma.get(`${own.path}/stats`);
    assert.deepEqual([json.issued, json.tokens], [3, 0]);
  });

  it('are for no request of the administration interface', async () => {
    for (const token of [await issue(), (await obtain()).access_token]) {
      assert.equal((await server.as(token).get('/admin/resourceServer')).status, 401);
    }
    const { json } = await root.get('/admin/resourceServer?q=authorization-server-admin');
    const answer = await root.call('PATCH', `/admin/resourceServer/${json[0].id}`, {
      accessTokenFormat: 'jwt',
    });
    assertError(answer, 400, 'invalid_request');
    assert.match(answer.json.violations.join(), /accessTokenFormat/);
  });
});
