import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { until } from '@watchword/server-testkit/processes/process';
import {
  type AccountServer,
  accountsPath,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { type Administering, anApi, anApp } from '@watchword/server-testkit/servers/administration';
import { engine } from '@watchword/server-testkit/servers/engine';
import type { Answer } from '@watchword/server-testkit/servers/server';
import { countRows } from '@watchword/server-testkit/servers/sql';
import { openTransaction } from '@watchword/testkit/postgresql';

// Requests after which a server on SQLite has begun with those that were sent before.
const roundTrips = 5;
const waitingOnPostgresql = `pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

function assertInvalidToken({ status, json, text }: Answer): void {
  assert.deepEqual([status, json.error], [401, 'invalid_token'], text);
}

describe('a caller whose access ends while a change waits for the database', () => {
  let server: AccountServer;
  let root: Administering;

  before(async () => {
    server = await startAccountServer();
    root = await server.logIn('root');
  });
  after(() => server[Symbol.asyncDispose]());

  /** Holds back the next change, and so those behind it. On PostgreSQL, two that wait for the same lock could change places. */
  async function holdBack(): Promise<AsyncDisposable> {
    if (engine === 'postgresql')
      return openTransaction(server.database, 'lock table audit_event in share mode');
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    const open = server.service.store.transact(async () => {
      begin();
      await isOver;
    });
    await hasBegun;
    return {
      async [Symbol.asyncDispose]() {
        end();
        await open;
      },
    };
  }

  /** Resolves when so many changes wait. */
  async function untilWaiting(changes: number): Promise<void> {
    for (let trip = 0; trip < roundTrips; trip += 1) await server.get('/healthz');
    if (engine === 'sqlite') return;
    await until(async () => (await countRows(server.database, waitingOnPostgresql)) === changes);
  }

  /** Sends both requests, in this order, while changes are held back. Resolves with the answer to the second. */
  async function behind(
    first: () => Promise<Answer>,
    second: () => Promise<Answer>,
    status: number,
  ): Promise<Answer> {
    const held = await holdBack();
    const sent: Promise<Answer>[] = [];
    for (const send of [first, second]) {
      sent.push(send());
      await untilWaiting(sent.length);
    }
    await held[Symbol.asyncDispose]();
    const [ended, answer] = await Promise.all(sent);
    assert.equal(ended?.status, status);
    return answer as Answer;
  }

  const urlOf = async (username: string) => {
    const [{ id }] = (await root.get(`${accountsPath}?username=${username}`)).json;
    return `${accountsPath}/${id}`;
  };

  it('cannot issue a token once the account is disabled', async () => {
    await server.addAccount('tom');
    const tom = await server.logIn('tom');
    const { id, key, secret } = await tom.create('/admin/resourceServer', anApi);
    const { clientId } = await tom.create(`/admin/resourceServer/${id}/client`, anApp);
    const url = await urlOf('tom');
    const answer = await behind(
      () => root.call('PATCH', url, { disabled: true }),
      () => tom.call('POST', '/admin/accessToken', { clientId }),
      200,
    );
    const info = await server.post(
      '/v1/tokeninfo',
      { access_token: answer.json.token ?? 'none' },
      `${key}:${secret}`,
    );
    assert.equal(info.status, 404);
    assertInvalidToken(answer);
  });

  it('cannot change what a right let it change once the right ends', async () => {
    const { client, credentials } = await registerClient(
      server,
      { clientName: 'Robot', scopes: ['read', 'write'], allowedClientCredentials: true },
      'authorization-server-admin',
    );
    const rights = `/admin/right/${client.clientId}`;
    await root.call('POST', rights, { rights: ['accounts:write'] });
    const token = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const robot = server.as(token.json.access_token);
    const answer = await behind(
      () => root.call('DELETE', rights),
      () => robot.call('POST', accountsPath, { username: 'too late' }),
      204,
    );
    assert.deepEqual([answer.status, answer.json.error], [403, 'access_denied'], answer.text);
    assert.deepEqual((await root.get(`${accountsPath}?username=too%20late`)).json, []);
  });

  it('cannot make another administrator once it is no administrator', async () => {
    await server.addAccount('eve', true);
    const eve = await server.logIn('eve');
    const url = await urlOf('eve');
    const answer = await behind(
      () => root.call('PATCH', url, { adminPrincipal: false }),
      () => eve.call('POST', accountsPath, { username: 'eve two', adminPrincipal: true }),
      200,
    );
    assertInvalidToken(answer);
    assert.deepEqual((await root.get(`${accountsPath}?username=eve%20two`)).json, []);
  });

  it('leaves no secret of a client behind once the account is disabled', async () => {
    await server.addAccount('ida');
    const ida = await server.logIn('ida');
    const { id } = await ida.create('/admin/resourceServer', { ...anApi, name: 'Of Ida' });
    const app = await ida.create(`/admin/resourceServer/${id}/client`, { ...anApp, clientName: 'Of Ida' });
    const secrets = `/admin/resourceServer/${id}/client/${app.id}/secrets`;
    const url = await urlOf('ida');
    const answer = await behind(
      () => root.call('PATCH', url, { disabled: true }),
      () => ida.call('POST', secrets, {}),
      200,
    );
    assertInvalidToken(answer);
    assert.equal((await root.get(secrets)).json.length, 1);
  });

  it('leaves no record behind for the next account of the name', async () => {
    await server.addAccount('ned');
    const ned = await server.logIn('ned');
    const url = await urlOf('ned');
    const answer = await behind(
      () => root.call('DELETE', url),
      () => ned.call('POST', '/admin/resourceServer', { ...anApi, name: 'left behind' }),
      200,
    );
    assertInvalidToken(answer);
    assert.deepEqual((await root.get('/admin/resourceServer?q=left%20behind')).json, []);
  });

  it('cannot change a record with a token that was revoked', async () => {
    await server.addAccount('una');
    const una = await server.logIn('una');
    const { id } = await una.create('/admin/resourceServer', { ...anApi, name: 'kept' });
    const { id: tokenId } = (await una.get('/admin/accessToken')).json[0];
    const answer = await behind(
      () => root.call('DELETE', `/admin/accessToken/${tokenId}`),
      () => una.call('DELETE', `/admin/resourceServer/${id}`),
      204,
    );
    assertInvalidToken(answer);
    assert.equal((await root.get(`/admin/resourceServer/${id}`)).status, 200);
  });
});
