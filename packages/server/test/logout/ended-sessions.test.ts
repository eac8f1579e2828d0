import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Application } from '@watchword/server-testkit/clients/application';
import { type LogoutReceiver, startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import {
  type AccountServer,
  accountsPath,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeJwt } from 'jose';
import { type LogoutClient, logIn, registerLogoutClient } from '../support/logout-client.ts';

const password = 'correct horse battery';

describe('the end of a login session', () => {
  let receiver: LogoutReceiver;
  /** Of a client with pairwise subjects. */
  let another: LogoutReceiver;
  let server: AccountServer;
  let root: Administering;
  let app: Application;
  let users = 0;

  before(async () => {
    [receiver, another] = await Promise.all([startLogoutReceiver(), startLogoutReceiver()]);
    server = await startAccountServer({
      'outbound.privateHosts': [receiver.host, another.host].join(),
      'signing.algorithms': 'ES256',
    });
    root = await server.logIn('root');
    app = await registerLogoutClient(server, { backchannelLogoutUri: receiver.url });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await Promise.all([receiver, another].map((each) => each[Symbol.asyncDispose]()));
  });

  const newUser = async () => {
    users += 1;
    const username = `user-${users}`;
    await server.addAccount(username);
    return username;
  };
  const logInAs = (username: string, agent = new UserAgent(), parameters = {}) =>
    logIn(server, app, agent, parameters, { username, password });
  const accountOf = async (username: string) =>
    `${accountsPath}/${(await root.get(`${accountsPath}?username=${username}`)).json[0].id}`;
  const account = (path: string) => `${server.baseUrl}${path}`;

  const ways: Readonly<Record<string, (client: LogoutClient, username: string) => Promise<unknown>>> = {
    'a logout by the user': async ({ agent }) => agent.submit(await agent.get(account('/logout')), {}),
    'the end of the session by an administrator': async (_, username) => {
      const query = `resourceOwnerId=${username}&identityProvider=password`;
      const [session] = (await root.get(`/admin/loginSession?${query}`)).json;
      const { status } = await root.call('DELETE', `/admin/loginSession/${session.id}`);
      assert.equal(status, 204);
    },
    'the end of everything that the user has': async (_, username) => {
      const body = { resourceOwnerId: username, resourceOwnerAuthority: 'password' };
      assert.equal((await root.call('POST', '/admin/resourceOwner/revocation', body)).status, 200);
    },
    'a new password by the user': async ({ agent }) => {
      const changed = {
        password,
        new_password: 'another horse battery',
        new_password_again: 'another horse battery',
      };
      const page = await agent.submit(await agent.get(account('/account/password')), changed);
      assert.equal(page.status, 200);
    },
    'a reset of the password by an administrator': async (_, username) => {
      assert.equal((await root.call('POST', `${await accountOf(username)}/resetLink`)).status, 200);
    },
    'the deletion of the account': async (_, username) => {
      assert.equal((await root.call('DELETE', await accountOf(username))).status, 200);
    },
    'the disabling of the account': async (_, username) => {
      assert.equal((await root.call('PATCH', await accountOf(username), { disabled: true })).status, 200);
    },
    'a login of another user in the same browser': async ({ agent }) => {
      await logInAs(await newUser(), agent, { prompt: 'login' });
    },
  };
  for (const [way, end] of Object.entries(ways)) {
    it(`sends a logout token to the client, by ${way}`, async () => {
      const username = await newUser();
      const client = await logInAs(username);
      await end(client, username);
      const { sub, sid } = decodeJwt(await receiver.next());
      assert.deepEqual({ sub, sid }, { sub: client.claims.sub, sid: client.claims.sid });
    });
  }

  it('is not there when the same user logs in again: the client keeps its sid, and learns of one end', async () => {
    const username = await newUser();
    const first = await logInAs(username);
    const second = await logInAs(username, first.agent, { prompt: 'login' });
    assert.equal(second.claims.sid, first.claims.sid);
    const before = receiver.tokens.length;
    await first.agent.submit(await first.agent.get(account('/logout')), {});
    assert.equal(decodeJwt(await receiver.next()).sid, first.claims.sid);
    assert.equal(receiver.tokens.length, before + 1);
  });

  it('sends one logout token for a session in which the client asked several times', async () => {
    const client = await logInAs(await newUser());
    await logIn(server, app, client.agent);
    const before = receiver.tokens.length;
    await client.agent.submit(await client.agent.get(account('/logout')), {});
    assert.equal(decodeJwt(await receiver.next()).sid, client.claims.sid);
    assert.equal(receiver.tokens.length, before + 1);
  });

  it('gives each client a sid of its own, and a pairwise sub where it has one', async () => {
    const pairwise = await registerLogoutClient(server, {
      backchannelLogoutUri: another.url,
      subjectType: 'pairwise',
    });
    const first = await logInAs(await newUser());
    const second = await logIn(server, pairwise, first.agent);
    await first.logout({ id_token_hint: first.idToken });
    const [ofOne, ofPairwise] = [decodeJwt(await receiver.next()), decodeJwt(await another.next())];
    assert.deepEqual([ofOne.sub, ofOne.sid], [first.claims.sub, first.claims.sid]);
    assert.deepEqual([ofPairwise.sub, ofPairwise.sid], [second.claims.sub, second.claims.sid]);
    assert.notEqual(ofOne.sub, ofPairwise.sub);
    assert.notEqual(ofOne.sid, ofPairwise.sid);
  });

  it('stores nothing for clients without a logout URI, and for requests without openid', async () => {
    const { sessionClients, loginSessions } = server.service.store;
    const username = await newUser();
    const silent = await registerLogoutClient(server);
    const { agent } = await logIn(server, silent, new UserAgent(), {}, { username, password });
    await app.authorize({ scope: 'read' }, {}, agent);
    const owner = { identityProvider: 'password', name: username };
    const [session] = await loginSessions.list({ owner, limit: 1 });
    assert.ok(session);
    assert.deepEqual(await sessionClients.list(session.id), []);
  });
});
