import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { AuditEvent } from '@watchword/admin-client';
import {
  type Administering,
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent, withdrawalPage } from '@watchword/testkit/user-agent';
import { purgeOnce } from '../../src/runtime/work/purging.ts';
import { assertError } from '../support/error-answers.ts';

const eventsPath = '/admin/auditEvent';
const authorizePath = '/authorize?response_type=code&client_id=demo-app&scope=read';

describe('the audit log of logins', () => {
  let server: AdministrationServer;
  let root: Administering;
  before(async () => {
    server = await startAdministration();
    root = await server.administrator();
  });
  after(() => server[Symbol.asyncDispose]());

  const eventsOf = async (name: string, query = 'kind=logins'): Promise<AuditEvent[]> => {
    const { json } = await root.get(`${eventsPath}?limit=1000&${query}`);
    return json.filter(({ actor }: AuditEvent) => actor === name);
  };
  const signIn = (name: string, agent = new UserAgent(), path = authorizePath) =>
    followFlow(agent, `${server.baseUrl}${path}`, { username: name, password: '{}' });
  /** The events, the newest first, without the values that differ each time. */
  const summaries = (events: readonly AuditEvent[]) =>
    events.map(({ action, recordType, recordName, clientId, after: details }) => {
      return [action, recordType, recordName, clientId, details];
    });

  it('has a login and a grant with the user, the address, the client and the scopes', async () => {
    await signIn('emma');
    const [grant, login, ...others] = await eventsOf('emma');
    assert.deepEqual(others, []);
    const who = { actor: 'emma', actorAuthority: 'any-person', owner: 'emma', ownerAuthority: 'any-person' };
    const client = { clientId: 'demo-app', clientName: 'Demo App' };
    const common = { ...who, ...client, source: '127.0.0.1', before: null };
    for (const event of [grant, login]) {
      assert.match(event?.recordId ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7/);
      assert.ok(Math.abs(Date.now() - (event?.time ?? 0)) < 60_000);
    }
    const { id: _, time: __, recordId: ___, ...restOfLogin } = login ?? assert.fail();
    const session = { action: 'login', recordType: 'loginSession', recordName: 'emma', after: null };
    assert.deepEqual(restOfLogin, { ...common, ...session });
    const { id: _a, time: _b, recordId: _c, ...restOfGrant } = grant ?? assert.fail();
    const granted = { action: 'grant', recordType: 'grant', recordName: 'demo-app' };
    assert.deepEqual(restOfGrant, { ...common, ...granted, after: { scopes: ['read'] } });
  });

  it('has each grant, by code or by token, also without a question to the user', async () => {
    await server.person('paul', {}, 'read');
    assert.deepEqual(summaries(await eventsOf('paul')), [
      [
        'grant',
        'grant',
        'authorization-server-admin-js-client',
        'authorization-server-admin-js-client',
        { scopes: ['read'] },
      ],
      ['login', 'loginSession', 'paul', 'authorization-server-admin-js-client', null],
    ]);
    const agent = new UserAgent();
    await signIn('nina', agent);
    await signIn('nina', agent);
    const grants = (await eventsOf('nina')).filter(({ action }) => action === 'grant');
    assert.equal(grants.length, 2);
    assert.notEqual(grants[0]?.recordId, grants[1]?.recordId);
  });

  it('has a withdrawal and a logout, and no event for a rejected request', async () => {
    const agent = new UserAgent();
    await signIn('olga', agent);
    const page = await withdrawalPage(agent, server.baseUrl);
    const client = page.forms[0]?.controls.find(({ name }) => name === 'client')?.value ?? '';
    await agent.submit(page, {});
    await agent.submit(page, {});
    const logout = await agent.get(`${server.baseUrl}/logout`);
    await agent.submit(logout, {});
    await agent.get(`${server.baseUrl}/logout`);
    const events = await eventsOf('olga');
    const [loggedOut, withdrawn, , login] = events;
    assert.deepEqual(summaries(events).slice(0, 2), [
      ['logout', 'loginSession', 'olga', null, null],
      ['withdraw', 'client', 'demo-app', null, null],
    ]);
    assert.equal(loggedOut?.recordId, login?.recordId);
    assert.equal(withdrawn?.recordId, client);
    assert.equal(events.length, 4);
  });

  it('has the end of a session by the login of another user in the same browser, and none by one of the same user', async () => {
    const agent = new UserAgent();
    await signIn('rosa', agent);
    await signIn('rosa', agent, `${authorizePath}&prompt=login`);
    await signIn('rita', agent, `${authorizePath}&prompt=login`);
    const events = await eventsOf('rosa');
    const [logout, ...others] = events.filter(({ action }) => action === 'logout');
    assert.deepEqual([logout?.after, others], [{ endedBy: 'login' }, []]);
    const logins = events.filter(({ action }) => action === 'login').map(({ recordId }) => recordId);
    assert.deepEqual(logins, [logout?.recordId, logout?.recordId]);
  });

  it('is listed with the changes, or alone, and users see their own events only', async () => {
    const vera = await server.person('vera', {}, 'read');
    const own = (await vera.get(eventsPath)).json;
    assert.deepEqual(summaries(own), summaries(await eventsOf('vera', '')));
    assert.equal(own.length, 2);
    assert.deepEqual((await vera.get(`${eventsPath}?kind=changes`)).json, []);
    const changes = (await root.get(`${eventsPath}?kind=changes`)).json;
    assert.ok(changes.every(({ action }: AuditEvent) => action !== 'login' && action !== 'grant'));
    assert.ok(changes.length > 0);
    const sessions = (await root.get(`${eventsPath}?recordType=loginSession&limit=1`)).json;
    assert.equal(sessions[0]?.action, 'login');
    assertError(await root.get(`${eventsPath}?kind=all`), 400, 'invalid_request');
  });

  it('is kept for audit.loginRetention, and changes for a time of their own', async () => {
    const { store } = server.service;
    const later = (seconds: number) => ({ now: () => Date.now() + seconds * 1000 });
    const retention = {
      retention: 1e9,
      authStateLifetime: 600,
      auditRetention: 1e9,
      loginRetention: 7_776_000,
    };
    const before = await eventsOf('emma');
    assert.equal((await purgeOnce(store, later(7_775_000), retention)).loginEvents, 0);
    assert.deepEqual(await eventsOf('emma'), before);
    const changes = (await root.get(`${eventsPath}?kind=changes`)).json;
    assert.equal(
      (await purgeOnce(store, later(7_777_000), { ...retention, loginRetention: 0 })).loginEvents,
      0,
    );
    const { loginEvents, auditEvents } = await purgeOnce(store, later(7_777_000), retention);
    assert.ok(loginEvents > 10);
    assert.equal(auditEvents, 0);
    assert.deepEqual((await root.get(`${eventsPath}?kind=logins`)).json, []);
    assert.deepEqual((await root.get(`${eventsPath}?kind=changes`)).json, changes);
  });
});
