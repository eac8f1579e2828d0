import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { parseEnv } from 'node:util';
import { Auth, type AuthConfig, setEnvDefaults } from '@auth/core';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import { fileOf } from '@watchword/server-testkit/processes/guide';
import { startSite, type TestSite } from '@watchword/testkit/site';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { type GuidedClient, guidedClient } from '../support/guided-site.ts';
import { persona } from '../support/openid-client.ts';
import { visit } from '../support/visit.ts';

const guide = 'log-users-in/auth-js.md';

describe('@auth/core (Auth.js), an independent library for websites, with the provider of the guide', () => {
  let client: GuidedClient;
  let site: TestSite;
  before(async () => {
    client = await guidedClient(guide);
    site = await startSite(authenticating(await configuration(client)), undefined, client.port);
  });
  after(async () => {
    await Promise.all([site, client].map((each) => each?.[Symbol.asyncDispose]()));
  });

  /** Follows the form of the page of Auth.js, which carries its token against forged requests. */
  const logIn = async (agent: UserAgent, answers: object = {}, origin = client.origin): Promise<Page> => {
    const page = await agent.get(`${origin}/api/auth/signin`);
    const { location = '' } = await agent.submit(page, { csrfToken: csrfTokenOf(page) });
    return visit(agent, location, { password: persona, ...answers });
  };
  const sessionOf = async (agent: UserAgent, origin = client.origin) =>
    JSON.parse((await agent.get(`${origin}/api/auth/session`)).html);

  it('logs a user in with PKCE, state and nonce, and knows name and e-mail address', async () => {
    const agent = new UserAgent();
    assert.equal(await sessionOf(agent), null);
    const page = await logIn(agent);
    assert.equal(page.text, 'the website');
    const { user } = await sessionOf(agent);
    assert.match(user.id, /^[\w-]{43}$/);
    assert.deepEqual([user.name, user.email], ['Emma de Vries', 'emma@example.org']);
  });

  it('knows name and e-mail address by the issuer alone, of a client with claims in ID tokens', async () => {
    const config = await configuration(client);
    let answer = authenticating(config);
    await using own = await startSite((request, response) => void answer(request, response));
    const app = await registerApplication(client.server, {
      openidScopes: ['profile', 'email'],
      claimsInIdToken: true,
      redirectUris: [`${own.url}/api/auth/callback/plain`],
    });
    const [clientId = '', clientSecret = ''] = app.credentials?.split(':') ?? [];
    const { baseUrl: issuer } = client.server.service;
    const plain = { id: 'plain', name: 'Plain', type: 'oidc', issuer, clientId, clientSecret } as const;
    answer = authenticating({ ...config, providers: [plain] });
    const agent = new UserAgent();
    await logIn(agent, {}, own.url);
    const { user } = await sessionOf(agent, own.url);
    assert.deepEqual([user.name, user.email], ['Emma de Vries', 'emma@example.org']);
  });

  it('logs the user out of the website', async () => {
    const agent = new UserAgent();
    await logIn(agent);
    assert.ok(await sessionOf(agent));
    const page = await agent.get(`${client.origin}/api/auth/signout`);
    await agent.submit(page, { csrfToken: csrfTokenOf(page) });
    assert.equal(await sessionOf(agent), null);
  });

  it('does not log a user in who denies', async () => {
    const agent = new UserAgent();
    const { url } = await logIn(agent, { username: 'eve', decision: 'deny' });
    assert.match(url, /[?&]error=/);
    assert.equal(await sessionOf(agent), null);
  });

  it('rejects a response to the request of another browser', async () => {
    const agent = new UserAgent();
    const page = await agent.get(`${client.origin}/api/auth/signin`);
    const { location = '' } = await agent.submit(page, { csrfToken: csrfTokenOf(page) });
    const victim = new UserAgent();
    const { url } = await visit(victim, location, { password: persona });
    assert.match(url, /[?&]error=/);
    assert.equal(await sessionOf(victim), null);
  });
});

function csrfTokenOf({ forms }: Page): string {
  const found = forms.flatMap(({ controls }) => controls).find(({ name }) => name === 'csrfToken');
  return found?.value ?? assert.fail('the page of Auth.js has no csrfToken');
}

/** The configuration that the guide shows, for a website in this process. */
async function configuration(client: GuidedClient): Promise<AuthConfig> {
  const { watchword } = await import(
    `data:text/javascript,${encodeURIComponent(fileOf(guide, 'watchword.js'))}`
  );
  // next-auth passes these to @auth/core.
  const [, options = ''] = /NextAuth\((\{[\s\S]*\})\);/.exec(fileOf(guide, 'auth.js')) ?? [];
  const module = `export const options = (watchword) => (${options});`;
  const { options: withProvider } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
  const config: AuthConfig = { ...withProvider(watchword), basePath: '/api/auth', trustHost: true };
  // Denials and forged requests are errors for its log.
  config.logger = { error: () => {} };
  setEnvDefaults(parseEnv(client.adapt(fileOf(guide, '.env.local'))), config);
  return config;
}

/** A website of Auth.js, over Node.js. Every other path answers with a page. */
function authenticating(config: AuthConfig) {
  return async (request: IncomingMessage, response: ServerResponse) => {
    const { url = '', method = '', headers } = request;
    if (!url.startsWith('/api/auth/')) return void response.end('the website');
    const body = method === 'POST' ? await buffer(request) : null;
    const asked = new Request(`http://${headers.host}${url}`, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      body,
    });
    const answer = await Auth(asked, config);
    response.statusCode = answer.status;
    response.setHeaders(answer.headers);
    response.end(await answer.bytes());
  };
}
