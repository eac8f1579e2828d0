import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AccountServer,
  accountsPath,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { type Administering, anApi, anApp } from '@watchword/server-testkit/servers/administration';
import { storedBytes } from '@watchword/server-testkit/servers/sql';
import { UserAgent } from '@watchword/testkit/user-agent';

const password = 'a long password of nobody else';
const state = 'what-an-application-remembers';
// The form of secrets of the Java server, which an import keeps.
const uuid = '0c7c9c3e-1c5b-4f0e-8a57-6a8fb3a9d0c2';

describe('LG-2: the database and the log', () => {
  let server: AccountServer;
  let root: Administering;

  before(async () => {
    server = await startAccountServer({ 'log.level': 'debug' });
    root = await server.logIn('root');
  });
  after(() => server[Symbol.asyncDispose]());

  /** Every text that proves something, by what it is. */
  async function secretsOfEveryFlow(): Promise<Record<string, string>> {
    const { resetLink } = await root.create(accountsPath, { username: 'rita' });
    const unused = await root.create(accountsPath, { username: 'unused' });
    const agent = new UserAgent();
    const typed = { new_password: password, new_password_again: password };
    await agent.submit(await agent.get(resetLink), typed);
    const api = await root.create('/admin/resourceServer', anApi);
    const app = await root.create(`/admin/resourceServer/${api.id}/client`, {
      ...anApp,
      allowedClientCredentials: true,
      useRefreshTokens: true,
      redirectUris: ['https://app.example/cb'],
    });
    const { secret: added } = await root.create(
      `/admin/resourceServer/${api.id}/client/${app.id}/secrets`,
      {},
    );
    const authorize = `${server.baseUrl}/authorize?response_type=code&client_id=${app.clientId}&state=${state}`;
    const consent = await agent.submit(await agent.get(authorize), { username: 'rita', password });
    const sealed = consent.forms[0]?.controls.find(({ name }) => name === 'auth_state')?.value ?? '';
    const { location } = await agent.submit(consent, { decision: 'allow' });
    const code = new URL(location ?? '').searchParams.get('code') ?? '';
    const credentials = `${app.clientId}:${app.secret}`;
    const token = async (form: Record<string, string>) =>
      (await server.post('/oauth2/token', form, credentials)).json;
    const redeemed = await token({ grant_type: 'authorization_code', code });
    const refreshed = await token({ grant_type: 'refresh_token', refresh_token: redeemed.refresh_token });
    const own = await token({ grant_type: 'client_credentials' });
    const administered = await root.create('/admin/accessToken', { clientId: app.clientId });
    const [session = '', binding = ''] = ['watchword_session', 'watchword_flow'].map(
      (name) => agent.cookies.find((cookie) => cookie.name === name)?.value ?? '',
    );
    const secrets = {
      password,
      code,
      'state of the page': sealed,
      session,
      binding,
      'client secret': app.secret,
      'second client secret': added,
      'secret of the resource server': api.secret,
      'redeemed reset link': linkOf(resetLink),
      'unused reset link': linkOf(unused.resetLink),
      'access token': redeemed.access_token,
      'refresh token': redeemed.refresh_token,
      'next access token': refreshed.access_token,
      'next refresh token': refreshed.refresh_token,
      'client credentials token': own.access_token,
      'administered token': administered.token,
      'token of the caller': root.token,
      uuid,
    };
    for (const secret of Object.values(secrets)) {
      // In the wrong place, where an error could show it.
      await token({ grant_type: 'client_credentials', scope: secret });
      await token({ grant_type: secret });
      await token({ grant_type: 'authorization_code', code: secret, redirect_uri: `https://x/?${secret}` });
      await agent.get(`${authorize}&redirect_uri=${encodeURIComponent(`https://${secret}@x/`)}`);
      await root.get(`/admin/accessToken?q=${encodeURIComponent(secret)}`);
      await root.call('POST', '/admin/accessToken/lookup', { token: secret });
    }
    return secrets;
  }

  it('contain no token, code, cookie, link, secret or password, also not those that came in the wrong place', async () => {
    const secrets = await secretsOfEveryFlow();
    const { text: errors } = await root.get('/admin/requestError?limit=1000');
    const { text: events } = await root.get('/admin/auditEvent?limit=1000');
    await server.service.close();
    const database = await storedBytes(server.database);
    assert.ok(database.length > 10_000);
    const texts = { log: server.log(), errors, events };
    const places = { database, ...buffersOf(texts) };
    for (const [what, secret] of Object.entries({ ...secrets, state })) {
      assert.ok(secret.length > 20, what);
      for (const [place, text] of Object.entries(places)) {
        const content = Buffer.from(text);
        for (const form of formsOf(secret)) assert.ok(!content.includes(form), `${what} in ${place}`);
      }
    }
  });
});

function buffersOf(texts: Readonly<Record<string, string>>): Record<string, Buffer> {
  return Object.fromEntries(Object.entries(texts).map(([place, text]) => [place, Buffer.from(text)]));
}

function linkOf(resetLink: string): string {
  return new URL(resetLink).searchParams.get('link') ?? '';
}

/** The text itself, and the random bytes of a bearer value without its selector, of which a row may hold the digest alone. */
function formsOf(secret: string): Buffer[] {
  const [, encoded] = /^ww[a-z]_([\w-]{64})/.exec(secret) ?? [];
  return encoded === undefined
    ? [Buffer.from(secret)]
    : [Buffer.from(secret), Buffer.from(encoded, 'base64url').subarray(16)];
}
