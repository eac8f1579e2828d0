import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  anApi,
  anApp,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from '../support/error-answers.ts';

const servers = '/admin/resourceServer';
const evil = { redirectUris: ['https://evil.example/cb'] };

describe('the trust in a client over REST', () => {
  let server: AdministrationServer;
  let root: Administering;
  let emma: Administering;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
    emma = await server.person('emma');
  });
  after(() => server[Symbol.asyncDispose]());

  /** A client of emma that skips consent because an administrator permits it. */
  async function trusted(name: string) {
    const api = await emma.create(servers, { ...anApi, name });
    const clients = `${servers}/${api.id}/client`;
    const client = await emma.create(clients, { ...anApp, clientName: `${name} app` });
    assert.equal(client.trusted, false);
    const path = `${clients}/${client.id}`;
    const { json } = await root.call('PATCH', path, { skipConsent: true });
    assert.deepEqual([json.skipConsent, json.trusted, json.reset], [true, true, undefined]);
    return { api: `${servers}/${api.id}`, path, client };
  }

  for (const method of ['PATCH', 'PUT', 'POST']) {
    it(`ends by a ${method} of its owner, and the answer names the fields that were reset`, async () => {
      const { path } = await trusted(`Ends by ${method}`);
      const { json, status } = await emma.call(method, path, { ...anApp, ...evil, skipConsent: true });
      assert.equal(status, 200);
      assert.deepEqual([json.skipConsent, json.trusted], [false, false]);
      assert.deepEqual(json.reset, ['skipConsent', 'trusted']);
      const again = await emma.call(method, path, { ...anApp, ...evil });
      assert.ok(!('reset' in again.json));
      assert.ok(!('reset' in (await emma.get(path)).json));
    });
  }

  it('stays when an administrator makes the same changes', async () => {
    const { path } = await trusted('Stays');
    const { json } = await root.call('PATCH', path, evil);
    assert.deepEqual([json.skipConsent, json.trusted, json.reset], [true, true, undefined]);
  });

  it('ends when its resource server removes a scope, and the answer names the clients', async () => {
    const { api, path, client } = await trusted('Loses');
    const { json } = await emma.call('PATCH', api, { scopes: ['write'] });
    assert.deepEqual(json.resetClients, [client.clientId]);
    const { json: left } = await emma.get(path);
    assert.deepEqual([left.scopes, left.skipConsent, left.trusted], [[], false, false]);
    assert.ok(!('resetClients' in (await emma.get(api)).json));
  });

  it('is restored by an administrator who confirms the record as it was read', async () => {
    const { path } = await trusted('Confirmed');
    const reset = await emma.call('PATCH', path, evil);
    const etag = reset.headers.get('etag') ?? '';
    const confirmation = `${path}/confirmation`;
    assertError(await emma.call('POST', confirmation), 403, 'access_denied');
    await emma.call('PATCH', path, { redirectUris: ['https://worse.example/cb'] });
    const stale = await root.call('POST', confirmation, undefined, { 'if-match': etag });
    assertError(stale, 412, 'precondition_failed');
    const seen = await root.get(path);
    const confirmed = await root.call('POST', confirmation, undefined, {
      'if-match': seen.headers.get('etag') ?? '',
    });
    assert.deepEqual([confirmed.status, confirmed.json], [200, { ...seen.json, trusted: true }]);
    assert.deepEqual((await root.get(path)).json, confirmed.json);
  });

  it('lets errors of a request redirect to the client before a login', async () => {
    const { path, client } = await trusted('Sends');
    const url = `${server.baseUrl}/authorize?client_id=${client.clientId}&response_type=code&scope=root`;
    const isSent = async () => (await new UserAgent().get(url)).status === 303;
    await root.call('PATCH', path, { redirectUris: ['https://app.example/cb'] });
    assert.ok(await isSent());
    await emma.call('PATCH', path, evil);
    assert.ok(!(await isSent()));
    await root.call('POST', `${path}/confirmation`);
    assert.ok(await isSent());
  });

  it('ends by a change of a client that acts for itself, too', async () => {
    const job = await server.actingClient('Registrar');
    const api = await job.create(servers, { ...anApi, name: 'Of a job' });
    const path = `${servers}/${api.id}/client`;
    const client = await job.create(path, anApp);
    await root.call('PATCH', `${path}/${client.id}`, { skipConsent: true });
    const { json } = await job.call('PATCH', `${path}/${client.id}`, { useRefreshTokens: true });
    assert.deepEqual(json.reset, ['skipConsent', 'trusted']);
  });
});
