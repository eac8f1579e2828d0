import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type LogoutReceiver, startLogoutReceiver } from '@watchword/server-testkit/clients/logout-receiver';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import { decodeJwt } from 'jose';
import {
  type LogoutClient,
  logIn,
  postLogoutRedirectUri,
  registerLogoutClient,
} from '../../support/logout-client.ts';
import { watchedDelivery } from '../../support/watched-delivery.ts';

const started = new AsyncDisposableStack();
const silent = createServer(() => {});
const closed = Promise.withResolvers<void>();
let receiver: LogoutReceiver;
let redirecting: LogoutReceiver;
let writing: LogoutReceiver;
let server: TestServer;
before(async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  receiver = started.use(await startLogoutReceiver());
  redirecting = started.use(
    await startLogoutReceiver((response) => void response.writeHead(307, { location: receiver.url }).end()),
  );
  writing = started.use(
    await startLogoutReceiver((response) => {
      response.on('close', () => closed.resolve());
      endless(response);
    }),
  );
  const hosts = [hostOf(silent), ...[receiver, redirecting, writing].map(({ host }) => host)];
  const settings = { 'signing.algorithms': 'ES256', 'outbound.privateHosts': hosts.join() };
  server = started.use(await startServer(settings));
  // Before the server, which waits for its requests.
  started.defer(() => {
    silent.close();
    silent.closeAllConnections();
  });
});
after(() => started.disposeAsync());

describe('open redirect at logout', () => {
  let client: LogoutClient;
  before(async () => {
    client = await logIn(server, await registerLogoutClient(server));
  });

  const targets = [
    'https://evil.example/',
    'https://app.example.evil.example/post_logout_redirect',
    'https://app.example@evil.example/post_logout_redirect',
    `${postLogoutRedirectUri}/../evil`,
    `${postLogoutRedirectUri}#x`,
    `${postLogoutRedirectUri}?`,
    `${postLogoutRedirectUri}%20`,
    'HTTPS://app.example/post_logout_redirect',
    'https://app.example:443/post_logout_redirect',
    '//app.example/post_logout_redirect',
    'javascript:alert(1)',
    'https://app.example/cb',
  ];
  for (const [index, target] of targets.entries()) {
    it(`never leads to ${target}, which the client has not registered for logouts`, async () => {
      const { clientId } = client.app.client;
      // Both at the first target, and by turns at the others.
      const proofs = [{ id_token_hint: client.idToken }, { client_id: clientId }];
      for (const proof of index === 0 ? proofs : [proofs[index % 2]]) {
        const page = await client.logout({ ...proof, post_logout_redirect_uri: target });
        assert.equal(page.status, 400, target);
        assert.equal(page.location, undefined);
        assert.ok(!page.html.includes(target));
      }
      assert.ok(await client.isLoggedIn());
    });
  }

  it('leads nowhere for an address of another client, or for several addresses', async () => {
    const other = await registerLogoutClient(server, {
      postLogoutRedirectUris: ['https://other.example/out'],
    });
    const hint = { id_token_hint: client.idToken };
    for (const parameters of [
      { ...hint, post_logout_redirect_uri: 'https://other.example/out' },
      { ...hint, client_id: other.client.clientId, post_logout_redirect_uri: 'https://other.example/out' },
      { client_id: 'unknown', post_logout_redirect_uri: postLogoutRedirectUri },
    ]) {
      const page = await client.logout(parameters);
      assert.deepEqual([page.status, page.location], [400, undefined]);
    }
    const repeated = new URLSearchParams([
      ...Object.entries(hint),
      ['post_logout_redirect_uri', postLogoutRedirectUri],
      ['post_logout_redirect_uri', 'https://evil.example/'],
    ]);
    const page = await client.agent.get(`${server.baseUrl}/oauth2/logout?${repeated}`);
    assert.deepEqual([page.status, page.location], [400, undefined]);
  });

  it('does not happen without an action of the user where nobody is logged in, except to a trusted client', async () => {
    const { store } = server.service;
    const { client: registered } = client.app;
    const visit = () =>
      new UserAgent().get(
        `${server.baseUrl}/oauth2/logout?${new URLSearchParams({
          id_token_hint: client.idToken,
          post_logout_redirect_uri: postLogoutRedirectUri,
          state: 's',
        })}`,
      );
    const trust = async (trusted: boolean) => {
      await store.transact(({ clients }) => clients.update(registered.id, { ...registered, trusted }));
    };
    await trust(true);
    assert.equal((await visit()).location, `${postLogoutRedirectUri}?state=s`);
    await trust(false);
    const page = await visit();
    assert.equal(page.status, 200);
    assert.equal(page.location, undefined);
    assert.equal(page.headers.get('refresh'), null);
    assert.ok(page.html.includes(`href="${postLogoutRedirectUri}?state=s"`));
  });

  // Held by logout.test.ts of the protocol.
  slowTest('ends when the address is removed from the registration while the user is asked', async () => {
    const app = await registerLogoutClient(server);
    const asked = await logIn(server, app);
    const question = await asked.logout({
      client_id: app.client.clientId,
      post_logout_redirect_uri: postLogoutRedirectUri,
    });
    const { store } = server.service;
    await store.transact(({ clients }) =>
      clients.update(app.client.id, { ...app.client, postLogoutRedirectUris: [] }),
    );
    const page = await asked.agent.submit(question, {});
    assert.ok(!page.html.includes(postLogoutRedirectUri));
    assert.match(page.text, /You are signed out/);
  });
});

describe('logout that another site causes', () => {
  const loggedIn = async () => logIn(server, await registerLogoutClient(server));
  const assertAsked = async (
    client: LogoutClient,
    page: { readonly status: number; readonly text: string },
  ) => {
    assert.equal(page.status, 200);
    assert.match(page.text, /Sign out\?/);
    assert.ok(await client.isLoggedIn());
  };

  it('only shows a question for a GET without an ID token, which names the client that it knows', async () => {
    const client = await loggedIn();
    await assertAsked(client, await client.logout());
    await assertAsked(client, await client.logout({ logout_hint: 'emma', state: 'x' }));
    const { clientId, clientName } = client.app.client;
    const page = await client.logout({ client_id: clientId });
    await assertAsked(client, page);
    assert.ok(page.text.includes(clientName));
  });

  // Held by logout.test.ts of the protocol.
  slowTest('only shows a question for an ID token of another user', async () => {
    const app = await registerLogoutClient(server);
    const victim = await logIn(server, app);
    const attacker = await logIn(
      server,
      app,
      new UserAgent(),
      {},
      { username: 'mallory', password: 'mallory' },
    );
    const hint = { id_token_hint: attacker.idToken, post_logout_redirect_uri: postLogoutRedirectUri };
    await assertAsked(victim, await victim.logout(hint));
  });

  it('only shows a question for a POST, which it first repeats with the cookies of the browser', async () => {
    const client = await loggedIn();
    const url = `${server.baseUrl}/oauth2/logout`;
    const page = await client.agent.postFromElsewhere(url, { client_id: client.app.client.clientId });
    assert.ok(await client.isLoggedIn());
    await assertAsked(client, await client.agent.submit(page, {}));
  });

  it('logs out by a POST of the client with an ID token of the user', async () => {
    const client = await loggedIn();
    const fields = {
      id_token_hint: client.idToken,
      post_logout_redirect_uri: postLogoutRedirectUri,
      state: 'é+&',
    };
    const repeated = await client.agent.postFromElsewhere(`${server.baseUrl}/oauth2/logout`, fields);
    const page = await client.agent.submit(repeated, {});
    assert.ok(page.html.includes(`href="${postLogoutRedirectUri}?state=%C3%A9%2B%26"`), page.html);
    assert.ok(!(await client.isLoggedIn()));
  });

  it('is not confirmed by a form of another browser, or without its state', async () => {
    const client = await loggedIn();
    const question = await client.logout();
    const auth_state = question.forms[0]?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
    const logout = `${server.baseUrl}/logout`;
    for (const page of [
      await client.agent.postFromElsewhere(logout, { auth_state }),
      await client.agent.post(logout, {}),
      await client.agent.post(logout, { auth_state: 'x' }),
      await new UserAgent().post(logout, { auth_state }),
    ]) {
      assert.ok(page.status >= 400, page.text);
    }
    assert.ok(await client.isLoggedIn());
  });

  it('takes no other JWT of this server for an ID token', async () => {
    const app = await registerLogoutClient(server, { backchannelLogoutUri: receiver.url });
    const client = await logIn(server, app);
    await client.logout({ id_token_hint: client.idToken });
    const logoutToken = await receiver.next();
    const again = await logIn(server, app, client.agent);
    const page = await again.logout({ id_token_hint: logoutToken });
    assert.equal(page.status, 400);
    assert.ok(await again.isLoggedIn());
  });
});

/** Writes without end. */
function endless(response: ServerResponse): void {
  const chunk = Buffer.alloc(65_536);
  const write = () => {
    while (response.write(chunk));
  };
  response.on('drain', write);
  response.writeHead(200, { 'content-length': String(Number.MAX_SAFE_INTEGER) });
  write();
}

describe('requests of back-channel logout', () => {
  /** A user logs out at a client with the address. */
  const logOut = async (backchannelLogoutUri: string) => {
    const client = await logIn(server, await registerLogoutClient(server, { backchannelLogoutUri }));
    await client.logout({ id_token_hint: client.idToken });
    return client;
  };

  it('go to no private address that the configuration does not name', async () => {
    await using other = await startLogoutReceiver();
    const settled = watchedDelivery(server, 'failure');
    await logOut(other.url);
    const { id } = await settled;
    const delivery = await server.service.store.logoutDeliveries.find(id);
    assert.match(delivery?.failure ?? '', /without a public address/);
    assert.deepEqual(other.tokens, []);
  });

  it('follow no redirect', async () => {
    const settled = watchedDelivery(server, 'failure');
    const before = receiver.tokens.length;
    await logOut(redirecting.url);
    await settled;
    assert.equal(receiver.tokens.length, before);
  });

  it('read no body, so an endless one is accepted as soon as its status is known, and closed', async () => {
    const done = watchedDelivery(server, 'removal');
    await logOut(writing.url);
    await done;
    await closed.promise;
  });

  it('leave other clients their turn while one client does not answer, and delay no user', async () => {
    const slow = await registerLogoutClient(server, { backchannelLogoutUri: `http://${hostOf(silent)}/` });
    // One more than the server delivers at once to one client. logout-deliveries.test.ts has the limit of all.
    for (let session = 0; session < 5; session += 1) {
      const client = await logIn(server, slow);
      await client.logout({ id_token_hint: client.idToken });
    }
    const { claims } = await logOut(receiver.url);
    assert.equal(decodeJwt(await receiver.next()).sid, claims.sid);
    const open = await new Promise<number>((resolve) => silent.getConnections((_, count) => resolve(count)));
    assert.ok(open <= 4, `${open} connections`);
  });
});

function hostOf(listening: Server): string {
  return `127.0.0.1:${(listening.address() as AddressInfo).port}`;
}
