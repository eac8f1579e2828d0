import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import type { ClientRegistration } from '@watchword/protocol';
import {
  type Application,
  redirectUri,
  registerApplication,
} from '@watchword/server-testkit/clients/application';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { assertErrorPage, assertRedirectedError } from '../../support/browser-answers.ts';

/** An application of an owner without the trust of an administrator. */
async function registerStranger(
  server: TestServer,
  registration: Partial<ClientRegistration> = {},
): Promise<Application> {
  const app = await registerApplication(server, registration);
  await setTrusted(server, app, false);
  return app;
}

async function setTrusted(server: TestServer, { client }: Application, trusted: boolean): Promise<void> {
  await server.service.store.clients.update(client.id, { ...client, trusted });
  await server.service.store.refreshRegistry();
}

/** The target of the only external link of a page. */
function wayOut(page: Page): string {
  const links = [...page.html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&').replaceAll('&#39;', "'"),
  );
  assert.equal(links.length, 1, page.html);
  return links[0] ?? '';
}

/** A page with the target of the redirect, which the user must open. */
function assertOffered(page: Page, error: string, host = 'app.example', status = 400): URLSearchParams {
  assertErrorPage(page, status);
  assert.match(page.text, new RegExp(`Go on to ${host.replaceAll('.', '\\.')}`));
  assert.ok((page.headers.get('x-request-id') ?? '').length > 4);
  const parameters = answeredBy(wayOut(page));
  assert.equal(parameters.get('error'), error);
  return parameters;
}

let server: TestServer;
let app: Application;
let issuer: string;
before(async () => {
  server = await startServer();
  issuer = server.service.baseUrl;
  app = await registerStranger(server);
});
after(() => server[Symbol.asyncDispose]());

describe('an error of an authorization request before a login', () => {
  let spa: Application;
  before(async () => {
    spa = await registerStranger(server, { allowedImplicitGrant: true });
  });

  const errors = [
    [{ scope: 'root' }, 'invalid_scope'],
    [{ response_type: 'x' }, 'unsupported_response_type'],
    [{ response_type: '' }, 'invalid_request'],
    [{ response_type: 'token' }, 'unauthorized_client'],
    [{ prompt: 'x' }, 'invalid_request'],
    [{ max_age: 'x' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ response_mode: ['query', 'query'] }, 'invalid_request'],
  ] as const;

  it('shows the whole host, of any length: its end shows its owner', async () => {
    const labels = [
      'accounts.bank.example',
      'a'.repeat(63),
      'b'.repeat(63),
      'c'.repeat(63),
      'evil.example:65535',
    ];
    const host = labels.join('.');
    const long = await registerStranger(server, { redirectUris: [`https://${host}/cb`] });
    assertOffered(await long.open({ scope: 'root' }), 'invalid_scope', host);
    const agent = new UserAgent();
    const consent = await agent.submit(await long.open({}, agent), { username: 'emma', password: 'x' });
    assert.ok(consent.text.includes(host), consent.text);
  });

  it('is a page that shows the target, and redirects only when the user continues', async () => {
    for (const [wrong, error] of errors) {
      const page = await app.open(wrong);
      const parameters = assertOffered(page, error);
      assert.equal(parameters.get('state'), 'state-1');
      assert.equal(parameters.get('iss'), issuer);
      assert.ok(
        wayOut(page).startsWith(
          `${redirectUri}${'response_type' in wrong && wrong.response_type === 'token' ? '#' : '?'}`,
        ),
      );
    }
    assertOffered(await spa.open({ code_challenge: '' }), 'invalid_request');
    assert.ok(
      wayOut(await spa.open({ response_type: 'token', scope: 'root' })).startsWith(`${redirectUri}#`),
    );
  });

  it('is the same by POST, with the cookies of the browser and without', async () => {
    const [url = ''] = app.authorizeUrl().split('?');
    const form = Object.fromEntries(new URL(app.authorizeUrl({ scope: 'root' })).searchParams);
    const agent = new UserAgent();
    assertOffered(await agent.submit(await agent.postFromElsewhere(url, form), {}), 'invalid_scope');
    await app.open({}, agent);
    assertOffered(await agent.post(url, form), 'invalid_scope');
  });

  it('shows the scheme where the target is an application on a device', async () => {
    const native = await registerStranger(server, { redirectUris: ['com.example.app:/cb'] });
    const page = await native.open({ scope: 'root' });
    assertOffered(page, 'invalid_scope', 'com.example.app');
    assert.ok(wayOut(page).startsWith('com.example.app:/cb?error='));
  });

  it('passes on nothing that looks like a part of the page, and no state of two', async () => {
    const state = `"><script>alert(1)</script>'&amp;`;
    const page = await app.open({ scope: 'root', state });
    assert.equal(assertOffered(page, 'invalid_scope').get('state'), state);
    assert.doesNotMatch(page.html, /<script>alert/);
    const two = await app.open({ state: ['one', 'two'] });
    assert.equal(assertOffered(two, 'invalid_request').get('state'), null);
  });

  it('redirects to the client at once where an administrator trusts it', async () => {
    const vouched = await registerApplication(server);
    for (const [wrong, error] of errors) {
      const separator = 'response_type' in wrong && wrong.response_type === 'token' ? '#' : '?';
      assertRedirectedError(await vouched.open(wrong), error, { issuer, separator });
    }
    await setTrusted(server, vouched, false);
    assertOffered(await vouched.open({ scope: 'root' }), 'invalid_scope');
  });

  it('redirects to the client at once with prompt=none, which is possible in a frame', async () => {
    for (const [wrong, error] of [
      [{}, 'login_required'],
      [{ scope: 'root' }, 'invalid_scope'],
      [{ response_type: 'x' }, 'unsupported_response_type'],
    ] as const) {
      assertRedirectedError(await app.open({ ...wrong, prompt: 'none' }), error, { issuer });
    }
    assertRedirectedError(await app.open({ prompt: 'none login' }), 'invalid_request', { issuer });
    assertOffered(await app.open({ prompt: ['none', 'none'] }), 'invalid_request');
  });

  // Held by authorization-flow.test.ts of the protocol.
  slowTest(
    'redirects to the client at once for a user who is logged in, and no longer after the logout',
    async () => {
      const agent = new UserAgent();
      await app.authorize({}, { username: 'emma' }, agent);
      for (const [wrong, error] of errors) {
        const separator = 'response_type' in wrong && wrong.response_type === 'token' ? '#' : '?';
        assertRedirectedError(await app.open(wrong, agent), error, { issuer, separator });
      }
      await agent.submit(await agent.get(`${server.baseUrl}/logout`), {});
      assertOffered(await app.open({ scope: 'root' }, agent), 'invalid_scope');
    },
  );

  it('is counted and logged by its name', async () => {
    await app.open({ scope: 'root' });
    const [line = ''] = server
      .log()
      .split('\n')
      .reverse()
      .filter((each) => each.includes('/authorize'));
    assert.match(line, /"error":"invalid_scope"/);
  });
});

describe('an error that follows a login page', () => {
  const refusing = (step: string) => `
    export default () => ({
      name: 'refusing',
      begin: async () => (${step}),
      resume: async () => ({ type: 'refused', description: 'Not a member.' }),
    });`;
  const withModule = async (step: string, work: (server: TestServer, app: Application) => Promise<void>) => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('refusing.mjs'), refusing(step));
    await using server = await startServer({ authenticator: directory.file('refusing.mjs') });
    await work(server, await registerStranger(server));
  };

  it('redirects to the client at once, also a denial on the consent page', async () => {
    await withModule("{ type: 'form' }", async (refusing, asking) => {
      const agent = new UserAgent();
      const refused = await agent.submit(await asking.open({}, agent), { username: 'x' });
      assertRedirectedError(refused, 'access_denied', { issuer: refusing.service.baseUrl });
    });
    const { redirect } = await app.authorize({}, { username: 'denying', decision: 'deny' });
    assertRedirectedError(redirect, 'access_denied', { issuer });
  });

  it('redirects to the client at once after the return from an identity provider', async () => {
    const away = "{ type: 'redirect', location: (state) => 'http://127.0.0.1:1/?state=' + state }";
    await withModule(away, async (server, app) => {
      const agent = new UserAgent();
      const { location } = await app.open({}, agent);
      const auth_state = new URL(location ?? '').searchParams.get('state') ?? '';
      const refused = await agent.post(`${server.baseUrl}/login`, { auth_state });
      assertRedirectedError(refused, 'access_denied', { issuer: server.service.baseUrl });
    });
  });

  it('is a page where the user saw no question', async () => {
    await withModule("{ type: 'refused', description: 'Not from here.' }", async (_server, app) => {
      const page = await app.open();
      const parameters = assertOffered(page, 'access_denied', 'app.example', 403);
      assert.equal(parameters.get('error_description'), 'Not from here.');
      assert.match(page.text, /You have no access/);
    });
  });
});
