import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { anyPerson } from '@watchword/server-testkit/administration';
import { startServer } from '@watchword/server-testkit/server';
import { type WatchedPage, watchedPage } from '@watchword/server-testkit/watched-page';
import { openBrowser, type TestBrowser } from '@watchword/testkit/browser';
import { testKey } from '@watchword/testkit/certificate';
import { freePort } from '@watchword/testkit/free-port';
import { startSite } from '@watchword/testkit/site';
import { browserApp, browserAppGuide, logInAt, renewed, storedUser } from '../support/browser-app.ts';
import { guidedClient } from '../support/guided-site.ts';
import { registerOpenidClient } from '../support/openid-client.ts';

/** The application, and the server. */
interface Website extends AsyncDisposable {
  readonly origin: string;
  readonly issuer: string;
}

for (const [name, start] of [
  ['as in the guide', guidedWebsite],
  ['over https and without refresh tokens', tlsWebsite],
] as const) {
  describe(`oidc-client-ts, an independent library for browsers, ${name}`, () => {
    let browser: TestBrowser;
    let site: Website;
    before(async () => {
      [browser, site] = await Promise.all([openBrowser(), start()]);
    });
    after(async () => {
      await Promise.all([browser, site].map((each) => each?.[Symbol.asyncDispose]()));
    });

    async function loggedIn(username: string): Promise<WatchedPage> {
      const origins = [site.issuer, site.origin];
      const watched = await watchedPage(browser, origins, { ignoreHTTPSErrors: true });
      await logInAt(watched.page, site.origin, username);
      return watched;
    }

    it('logs a user in by the code flow with PKCE, and reads userinfo', async () => {
      await using watched = await loggedIn('emma');
      const { profile, scope, token_type } = (await storedUser(watched.page)) ?? assert.fail();
      assert.deepEqual(
        [profile.email, scope, token_type],
        ['emma@example.org', 'openid profile email', 'bearer'],
      );
      assert.match(profile.sub, /^[\w-]{43}$/);
      assert.equal(new URL(watched.page.url()).search, '');
      assert.deepEqual(watched.errors(), []);
    });

    it('renews the access token, with a refresh token or in a frame with prompt=none', async () => {
      await using watched = await loggedIn('anna');
      const { page } = watched;
      const before = (await storedUser(page)) ?? assert.fail();
      assert.equal(before.refresh_token === undefined, start === tlsWebsite);
      const prompts: unknown[] = [];
      page.on('request', (sent) => {
        const prompt = new URL(sent.url()).searchParams.get('prompt');
        if (prompt !== null) prompts.push(prompt, sent.frame() === page.mainFrame());
      });
      const after = await renewed(page, before);
      assert.deepEqual(prompts, start === tlsWebsite ? ['none', false] : []);
      assert.equal(after.profile.sub, before.profile.sub);
      assert.notEqual(after.id_token, before.id_token);
      assert.ok(start === tlsWebsite || after.refresh_token !== before.refresh_token);
      assert.deepEqual(watched.errors(), []);
    });

    it('logs the user out of the application and of the server, without a question', async () => {
      await using watched = await loggedIn('ruth');
      const { page } = watched;
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.waitForURL(`${site.origin}/`);
      assert.equal(await storedUser(page), null);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByLabel('Password').waitFor();
      assert.deepEqual(watched.errors(), []);
    });

    if (start === guidedWebsite) return;
    it('gets no token in a frame when the login has ended', async () => {
      await using watched = await loggedIn('olga');
      const { page } = watched;
      await page.context().clearCookies();
      const failed = page.waitForEvent('pageerror');
      await page.getByRole('button', { name: 'Renew' }).click();
      assert.match(String(await failed), /has to log in, and prompt=none forbids to ask/);
    });
  });
}

async function guidedWebsite(): Promise<Website> {
  await using started = new AsyncDisposableStack();
  const client = started.use(await guidedClient(browserAppGuide));
  started.use(await startSite(await browserApp(client.adapt), undefined, client.port));
  const running = started.move();
  const { origin, server } = client;
  return { origin, issuer: server.service.baseUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** A frame gets the cookies of its site only, and `http` and `https` are two sites: a proxy gives the server TLS, too. */
async function tlsWebsite(): Promise<Website> {
  await using started = new AsyncDisposableStack();
  const tls = testKey('localhost');
  const ports = [await freePort(), await freePort()] as const;
  const [issuer, origin] = [`https://localhost:${ports[0]}`, `https://localhost:${ports[1]}`];
  const server = started.use(
    await startServer({ host: 'localhost', baseUrl: issuer, authenticator: anyPerson }),
  );
  const proxy = await startSite(
    (incoming, outgoing) => {
      const { url: path, method, headers } = incoming;
      const forwarded = request({ host: 'localhost', port: server.port, path, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      incoming.pipe(forwarded);
    },
    tls,
    ports[0],
  );
  started.use(proxy);
  const home = `${origin}/`;
  const { client } = await registerOpenidClient(server, {
    redirectUris: [home],
    postLogoutRedirectUris: [home],
    confidential: false,
    useRefreshTokens: false,
  });
  const adapt = (text: string) =>
    text
      .replaceAll('http://localhost:3000/', home)
      .replaceAll('https://login.example', issuer)
      .replace("client_id: 'wiki'", `client_id: '${client.clientId}'`);
  started.use(await startSite(await browserApp(adapt), tls, ports[1]));
  const running = started.move();
  return { origin, issuer, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
