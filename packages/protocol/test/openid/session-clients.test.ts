import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  authorizationRequest,
  type FlowDependencies,
  flowDependencies,
  submission,
  TestBrowser,
} from '@watchword/testkit';
import type { Client } from '../../src/model/records/client.ts';

const uri = 'https://app.example/logout';
const origin = { clientId: undefined, source: '192.0.2.7' };

async function server(changes: Partial<Client>): Promise<FlowDependencies> {
  const deps = await flowDependencies();
  deps.store.putClient({ ...deps.webApp, ...changes });
  return deps;
}

async function sessionOf({ sessions, dependencies }: FlowDependencies, browser: TestBrowser) {
  const session = await sessions.current(browser.state, dependencies.authenticators);
  return session ?? assert.fail('nobody is logged in');
}

/** The clients that learn of the end of the session in the browser. */
async function learning(deps: FlowDependencies, browser: TestBrowser): Promise<string[]> {
  const clients = await deps.store.sessionClients.list((await sessionOf(deps, browser)).id);
  return clients.map(({ subject }) => subject);
}

describe('the client of a login session', () => {
  it('learns of its end if it got an ID token and has an address for that', async () => {
    for (const [changes, scope, learns] of [
      [{ backchannelLogoutUri: uri }, 'openid', true],
      [{ frontchannelLogoutUri: uri }, 'openid', true],
      [{}, 'openid', false],
      [{ backchannelLogoutUri: uri }, 'read', false],
    ] as const) {
      const deps = await server(changes);
      const browser = new TestBrowser();
      await deps.grant({ scope }, browser);
      const { owner } = await sessionOf(deps, browser);
      assert.deepEqual(await learning(deps, browser), learns ? [owner.subject] : [], JSON.stringify(changes));
      await deps.sessions.end(browser.state, origin);
      const due = await deps.store.logoutDeliveries.listDue(deps.clock.now(), 9);
      assert.equal(due.length, learns ? 1 : 0);
    }
  });

  it('learns of the end of the next session instead if the same user logs in again, and of this one if another does', async () => {
    for (const [username, ended] of [
      ['emma', 0],
      ['noah', 1],
    ] as const) {
      const deps = await server({ backchannelLogoutUri: uri });
      const { authorization, clock, store } = deps;
      const browser = new TestBrowser();
      await deps.grant({ scope: 'openid' }, browser);
      const request = authorizationRequest({ prompt: 'login' });
      const login = browser.take(await authorization.authorize(request, browser.state));
      assert.ok(login.type === 'login', login.type);
      const form = submission({ auth_state: login.authState, username });
      browser.take(await authorization.login(form, browser.state));
      assert.equal((await store.logoutDeliveries.listDue(clock.now(), 9)).length, ended);
      assert.equal((await learning(deps, browser)).length, 1 - ended);
    }
  });

  it('is nobody where there is no session to end', async () => {
    const { sessions } = await server({});
    assert.ok(!(await sessions.end(new TestBrowser().state, origin)));
    assert.ok(!(await sessions.end({ binding: 'x'.repeat(43), session: 'wwl_x' }, origin)));
  });
});
