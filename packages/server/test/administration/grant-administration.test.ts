import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  anApi,
  anApp,
  type OwnedAdministration,
  startOwnedAdministration,
} from '@watchword/server-testkit/servers/administration';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import type { Answer } from '@watchword/server-testkit/servers/server';
import { rounds } from '@watchword/testkit';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from '../support/error-answers.ts';

const list = '/admin/grant';

interface App {
  readonly id: number;
  readonly clientId: string;
  readonly secret: string;
}

describe('grants over REST', () => {
  let server: OwnedAdministration['server'];
  let root: Administering;
  let owner: Administering;
  let stranger: Administering;
  let api: OwnedAdministration['api'];

  before(async () => {
    ({ server, root, owner, stranger, api } = await startOwnedAdministration());
  });
  after(() => server[Symbol.asyncDispose]());

  const register = (clientName: string): Promise<App> =>
    owner.create(`/admin/resourceServer/${api.id}/client`, {
      ...anApp,
      clientName,
      redirectUris: ['https://app.example/cb'],
      useRefreshTokens: true,
      expireDuration: 600,
    });

  const urlOf = ({ clientId }: App) => `${server.baseUrl}/authorize?response_type=code&client_id=${clientId}`;
  const token = (app: App, form: Record<string, string>): Promise<Answer> =>
    server.post('/oauth2/token', form, `${app.clientId}:${app.secret}`);
  const refresh = (app: App, refresh_token: string) =>
    token(app, { grant_type: 'refresh_token', refresh_token });

  /** The code flow of the application; resolves with the tokens. */
  async function grant(app: App, username: string, agent = new UserAgent()) {
    const answers = { username, password: JSON.stringify({ attributes: { SECRET: 'attribute' } }) };
    const { parameters } = await followFlow(agent, urlOf(app), answers);
    const code = parameters.get('code') ?? '';
    return (await token(app, { grant_type: 'authorization_code', code })).json;
  }

  it('are shown to the record owner with name, scopes and dates, without attributes, and to no other owner', async () => {
    const app = await register('Shown');
    const before = Date.now();
    await grant(app, 'emma');
    const [{ id, subject, creationDate, lastUsed, ...shown }] = (
      await owner.get(`${list}?clientId=${app.clientId}`)
    ).json;
    assert.deepEqual(shown, {
      resourceOwnerId: 'emma',
      resourceOwnerAuthority: 'any-person',
      clientId: app.clientId,
      clientName: 'Shown',
      resourceServerId: api.id,
      resourceServerName: anApi.name,
      scopes: ['read'],
      consentedScopes: ['read'],
      otherResourceServers: [],
      part: false,
      refreshToken: true,
      accessTokens: 1,
    });
    assert.ok(creationDate >= before && lastUsed >= creationDate);
    const { json } = await root.get(`${list}/${id}`);
    assert.deepEqual(json, {
      id,
      subject,
      creationDate,
      lastUsed,
      ...shown,
      principal: {
        name: 'emma',
        roles: [],
        groups: [],
        adminPrincipal: false,
        attributes: { SECRET: 'attribute' },
      },
    });
    for (const query of [
      '',
      `?clientId=${app.clientId}`,
      `?resourceServerId=${api.id}`,
      `?subject=${subject}`,
    ]) {
      assert.deepEqual((await stranger.get(`${list}${query}`)).json, []);
    }
    assertError(await stranger.get(`${list}/${id}`), 404, 'not_found');
    assertError(await stranger.call('DELETE', `${list}/${id}`), 404, 'not_found');
  });

  it('have the subject that introspection shows', async () => {
    const app = await register('Introspected');
    const { access_token } = await grant(app, 'emma');
    const [{ subject }] = (await owner.get(`${list}?clientId=${app.clientId}`)).json;
    const { json } = await server.post(
      '/oauth2/introspect',
      { token: access_token },
      `${api.key}:${api.secret}`,
    );
    assert.equal(json.sub, subject);
  });

  it('end with all tokens, and their resource owner is asked again', async () => {
    const app = await register('Ended');
    const agent = new UserAgent();
    const { access_token, refresh_token } = await grant(app, 'emma', agent);
    const [{ id }] = (await owner.get(`${list}?clientId=${app.clientId}`)).json;
    assert.equal((await agent.get(urlOf(app))).status, 303);
    assert.equal((await owner.call('DELETE', `${list}/${id}`)).status, 204);
    const info = await server.post('/v1/tokeninfo', { access_token }, `${api.key}:${api.secret}`);
    assert.equal(info.status, 404);
    assert.equal((await refresh(app, refresh_token)).json.error, 'invalid_grant');
    const page = await agent.get(urlOf(app));
    assert.ok(page.forms.some(({ controls }) => controls.some(({ name }) => name === 'decision')));
    assertError(await owner.get(`${list}/${id}`), 404, 'not_found');
    assertError(await owner.call('DELETE', `${list}/${id}`), 404, 'not_found');
  });

  it('leave no usable token when they end while the client refreshes', async () => {
    const app = await register('Racing');
    for (let round = 0; round < rounds(4, 20); round += 1) {
      const { refresh_token } = await grant(app, `racer ${round}`);
      const [{ id }] = (await owner.get(`${list}?clientId=${app.clientId}`)).json;
      const [answer, ended] = await Promise.all([
        refresh(app, refresh_token),
        owner.call('DELETE', `${list}/${id}`),
      ]);
      assert.equal(ended.status, 204);
      if (answer.status === 200) {
        const { access_token, refresh_token: next } = answer.json;
        const info = await server.post('/v1/tokeninfo', { access_token }, `${api.key}:${api.secret}`);
        assert.equal(info.status, 404);
        assert.equal((await refresh(app, next)).json.error, 'invalid_grant');
      } else assert.equal(answer.json.error, 'invalid_grant');
    }
  });

  it('are listed while only the consent is left of them, and that can be ended', async () => {
    const app = await register('Remembered');
    using clock = stoppedClock();
    const agent = new UserAgent();
    await grant(app, 'emma', agent);
    const [{ id }] = (await owner.get(`${list}?clientId=${app.clientId}`)).json;
    clock.advance(366 * 24 * 3600);
    const later = await server.person('owner');
    const [{ lastUsed, scopes, consentedScopes, refreshToken, accessTokens, ...alone }, ...others] = (
      await later.get(`${list}?clientId=${app.clientId}`)
    ).json;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [alone.id, lastUsed, scopes, consentedScopes, refreshToken, accessTokens],
      [id, null, [], ['read'], false, 0],
    );
    assert.equal((await later.call('DELETE', `${list}/${id}`)).status, 204);
    assert.deepEqual((await later.get(`${list}?clientId=${app.clientId}`)).json, []);
  });

  it('end together by person, by client and by resource server, and the answer has the numbers', async () => {
    const [one, two] = [await register('One'), await register('Two')];
    for (const app of [one, two]) for (const name of ['ann', 'bob', 'cid']) await grant(app, name);
    const [{ subject }] = (await owner.get(`${list}?resourceOwnerId=ann`)).json;
    const end = async (query: string) => (await owner.call('DELETE', `${list}?${query}`)).json;
    assert.deepEqual(await end(`subject=${subject}`), { grants: 2, consents: 2 });
    assert.deepEqual(await end(`clientId=${one.clientId}`), { grants: 2, consents: 2 });
    assert.deepEqual(await end(`resourceServerId=${api.id}&clientId=${two.clientId}`), {
      grants: 2,
      consents: 2,
    });
    assert.deepEqual(await end(`clientId=${two.clientId}`), { grants: 0, consents: 0 });
    for (const query of ['', '?subject=', '?q=ann']) {
      assertError(await root.call('DELETE', `${list}${query}`), 400, 'invalid_request');
    }
  });

  it('do not end by a parameter that selects none of them, or has no value', async () => {
    const app = await register('Selected');
    for (const name of ['ann', 'bob']) await grant(app, name);
    for (const other of [
      'resourceOwnerId=ann',
      'q=ann',
      'limit=1',
      'subject=',
      'resourceServerId=',
      'clientID=x',
    ]) {
      const query = `clientId=${app.clientId}&${other}`;
      assertError(await owner.call('DELETE', `${list}?${query}`), 400, 'invalid_request');
    }
    assert.equal((await owner.get(`${list}?clientId=${app.clientId}`)).json.length, 2);
  });

  it('are listed page by page, each once', async () => {
    const app = await register('Paged');
    for (const name of ['ann', 'bob', 'cid', 'dan', 'eva']) await grant(app, name);
    const names: string[] = [];
    let path: string | undefined = `${list}?clientId=${app.clientId}&limit=2`;
    while (path !== undefined) {
      const { json, headers }: Answer = await owner.get(path);
      names.push(...json.map((found: { resourceOwnerId: string }) => found.resourceOwnerId));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1];
    }
    assert.deepEqual(names, ['eva', 'dan', 'cid', 'bob', 'ann']);
  });

  it('are in the audit log when they end', async () => {
    const app = await register('Audited');
    await grant(app, 'emma');
    const [{ id }] = (await owner.get(`${list}?clientId=${app.clientId}`)).json;
    await owner.call('DELETE', `${list}/${id}`);
    const [event] = (await root.get(`/admin/auditEvent?recordType=grant&recordId=${id}&kind=changes`)).json;
    const { action, actor, recordName, owner: resourceOwner, before } = event;
    assert.deepEqual(
      [action, actor, recordName, resourceOwner, before.scopes, before.principal],
      ['delete', 'owner', app.clientId, 'emma', ['read'], undefined],
    );
    await grant(app, 'emma');
    await owner.call('DELETE', `${list}?clientId=${app.clientId}`);
    const [bulk] = (await root.get(`/admin/auditEvent?recordType=client&recordId=${app.id}`)).json;
    assert.deepEqual([bulk.action, bulk.before.grants], ['revokeGrants', 1]);
  });
});
