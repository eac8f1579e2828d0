import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/administration';

const list = '/admin/requestError';

interface App {
  readonly id: number;
  readonly clientId: string;
  readonly secret: string;
}

interface Listed {
  readonly client: { readonly clientId: string };
  readonly error: string;
  readonly reason: string;
  readonly requests: number;
}

describe('request errors over REST', () => {
  let server: AdministrationServer;
  let root: Administering;
  let owner: Administering;
  let stranger: Administering;
  let api: { id: number; key: string; secret: string };

  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
    owner = await server.person('owner');
    stranger = await server.person('stranger');
    api = await owner.create('/admin/resourceServer', anApi);
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
});
