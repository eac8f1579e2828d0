import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { basic } from '@watchword/server-testkit/servers/server';

/** The members that apis answers and Watchword does not know. */
const ofApis = { creationDate: 1373178401833, modificationDate: 1373178401833, clients: [], links: null };

describe('a program that was written for apis', () => {
  let server: AdministrationServer;
  let program: Administering;
  before(async () => {
    server = await startAdministration();
    program = await server.person('emma');
  });
  after(() => server[Symbol.asyncDispose]());

  it('creates with PUT, updates with POST, and sends whole records back', async () => {
    const api = await putAndPost(
      program,
      '/admin/resourceServer',
      {
        name: 'University API',
        key: 'the-key',
        description: 'The description',
        contactName: 'Emma',
        thumbNailUrl: 'http://example.com/thumbnail',
        scopes: ['read', 'write'],
      },
      { thumbNailUrl: 'http://example.com/another' },
    );
    const clients = `/admin/resourceServer/${api.id}/client`;
    const client = await putAndPost(
      program,
      clients,
      {
        clientName: 'Course App',
        contactName: 'Emma',
        scopes: ['read'],
        redirectUris: ['https://courses.example.com/callback'],
        attributes: { theme: 'blue' },
        expireDuration: 3600,
        allowedClientCredentials: 1,
        useRefreshTokens: 1,
        skipConsent: 0,
        allowedUserPasswordCredentials: false,
      },
      { allowedClientCredentials: 1, description: 'Courses' },
    );
    assert.deepEqual([client.useRefreshTokens, client.attributes], [true, { theme: 'blue' }]);

    const tokens = '/admin/accessToken';
    const token = await program.call('POST', tokens, {
      ...ofApis,
      clientId: client.clientId,
      scopes: ['read'],
      refreshToken: null,
      encodedPrincipal: 'AAAA',
    });
    assert.deepEqual([token.status, token.json.resourceOwnerId], [201, 'emma']);
    assert.ok((await program.get(tokens)).json.some(({ id }: { id: string }) => id === token.json.id));

    assert.equal((await program.get('/admin/resourceServer/stats')).status, 200);
    assert.equal((await program.get('/admin/resourceServer/principal')).json.name, 'emma');
    for (const path of [
      `${tokens}/${token.json.id}`,
      `${clients}/${client.id}`,
      `/admin/resourceServer/${api.id}`,
    ]) {
      assert.equal((await program.call('DELETE', path)).status, 204);
      assert.equal((await program.get(path)).status, 404);
    }
  });

  it('keeps its credentials when it sends a record back with the secret', async () => {
    const api = (await program.call('PUT', '/admin/resourceServer', { name: 'A', contactName: 'E' })).json;
    await program.call('POST', `/admin/resourceServer/${api.id}`, { ...api, ...ofApis, secret: 'another' });
    const tokenInfo = `${server.baseUrl}/v1/tokeninfo?access_token=none`;
    const status = async (secret: string) =>
      (await fetch(tokenInfo, { headers: { authorization: basic(`${api.key}:${secret}`) } })).status;
    assert.deepEqual([await status(api.secret), await status('another')], [404, 401]);
  });
});

/** Creates a record, reads it, and sends it back with a change. Resolves with the record that is then answered. */
async function putAndPost(program: Administering, collection: string, record: object, change: object) {
  const created = await program.call('PUT', collection, { ...record, ...ofApis });
  assert.equal(created.status, 201, created.text);
  assert.ok(created.json.secret.length > 0);
  const address = `${collection}/${created.json.id}`;
  assert.ok(created.headers.get('location')?.endsWith(address));
  const known = (await program.get(address)).json;
  const updated = await program.call('POST', address, { ...known, ...ofApis, ...change });
  assert.equal(updated.status, 200, updated.text);
  const {
    creationDate: _,
    modificationDate: __,
    clients: ___,
    links: ____,
    ...stored
  } = { ...ofApis, ...updated.json };
  assert.deepEqual((await program.get(address)).json, stored);
  return updated.json;
}
