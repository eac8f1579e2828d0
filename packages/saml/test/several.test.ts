import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { startIdentityProvider } from './support/identity-provider.ts';
import { atProvider, authorizePath, inline } from './support/service.ts';

/** The URL of the assertion consumer service in metadata. */
function acsOf(metadata: string): string {
  return /AssertionConsumerService [^>]*Location="([^"]+)"/.exec(metadata)?.[1] ?? '';
}

/** Logs in with one of the authenticators; resolves with the last page. */
async function logIn({ service }: TestServer, authenticator: string, acs: string): Promise<Page> {
  const agent = new UserAgent();
  const away = await agent.get(`${service.baseUrl}${authorizePath}&authenticator_hint=${authenticator}`);
  const fields = await atProvider(away);
  const answer = await fetch(acs, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ ...fields }),
  });
  return agent.get(answer.headers.get('location') ?? assert.fail(await answer.text()));
}

describe('two SAML authenticators with the same identity provider', () => {
  it('have their own URLs and users, and the one without a name has those of a single authenticator', async () => {
    await using idp = await startIdentityProvider();
    idp.person = { nameId: 'e-1', attributes: { 'urn:mace:dir:attribute-def:uid': ['emma'] } };
    const options = { allowPrivateAddresses: true, identityProviders: [inline(idp)] };
    const module = '@watchword/saml';
    await using server = await startServer({
      authenticators: JSON.stringify([
        { module, options },
        { module, as: 'partners', options },
      ]),
      consent: 'noop',
    });
    const { baseUrl, store } = server.service;
    for (const [authenticator, path, identityProvider] of [
      ['saml', '/saml', idp.entityId],
      ['partners', '/login/partners/saml', `partners:${idp.entityId}`],
    ] as const) {
      const metadata = await (await fetch(`${baseUrl}${path}/metadata`)).text();
      assert.equal(acsOf(metadata), `${baseUrl}${path}/acs`);
      idp.register(metadata);
      const answered = await logIn(server, authenticator, acsOf(metadata));
      assert.ok(new URL(answered.location ?? '').searchParams.get('code'), answered.text);
      const [event] = await store.auditEvents.list({ kind: 'logins', limit: 1 });
      assert.deepEqual([event?.owner.name, event?.owner.identityProvider], ['emma', identityProvider]);
    }
  });
});
