import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { startOpenidProvider } from '@watchword/server-testkit/neighbours/openid-provider';
import { startServer } from '@watchword/server-testkit/servers/server';
import { slowTest } from '@watchword/testkit';
import { freePort } from '@watchword/testkit/free-port';
import { UserAgent } from '@watchword/testkit/user-agent';
import { codeOf, requestLogin, startService } from './support/service.ts';

describe('users of an unmodified provider log in', () => {
  // The next test has the same way at a foreign one, and packages/server/test/certification has what a provider says.
  slowTest('of Watchword itself', async () => {
    await using provider = await startServer({
      allowInsecureAuthentication: 'true',
      consent: 'noop',
      'signing.algorithms': 'ES256',
    });
    const placeholder = 'https://app.example/cb';
    const { client, secret } = await registerClient(provider, {
      redirectUris: [placeholder],
      scopes: ['read'],
      openidScopes: ['profile', 'email'],
    });
    await using service = await startService({
      issuer: provider.service.baseUrl,
      clientId: client.clientId,
      clientSecret: secret ?? assert.fail(),
      allowPrivateAddresses: true,
    });
    const { store } = provider.service;
    await store.clients.update(client.id, { ...client, redirectUris: [`${service.instance}/callback`] });
    await store.refreshRegistry();
    const agent = new UserAgent();
    const away = await requestLogin(service, agent);
    const there = new UserAgent();
    const login = await there.get(away.location ?? assert.fail(away.text));
    const back = await there.submit(login, { username: 'emma', password: '{}' });
    codeOf(await agent.get(back.location ?? assert.fail(back.text)));
    const { owner } = await service.session();
    assert.equal(owner.identityProvider, `corp:${provider.service.baseUrl}`);
    const [known] = await store.loginSessions.list({ limit: 1 });
    assert.equal(owner.principal.name, known?.owner.subject, 'the name is sub');
  });

  it('of oidc-provider', async () => {
    const port = await freePort();
    await using provider = await startOpenidProvider({
      clientId: 'watchword',
      secret: 'a secret of the client',
      redirectUri: () => `http://localhost:${port}/login/corp/callback`,
    });
    const client = { clientId: 'watchword', clientSecret: 'a secret of the client', scopes: [] };
    await using service = await startService(
      { issuer: provider.issuer, ...client, allowPrivateAddresses: true },
      { port: String(port) },
    );
    const agent = new UserAgent();
    const away = await requestLogin(service, agent, '&prompt=login');
    const back = await provider.logIn(new UserAgent(), away.location ?? assert.fail(away.text), 'emma');
    codeOf(await agent.get(back));
    const { owner } = await service.session();
    assert.deepEqual([owner.identityProvider, owner.principal.name], [`corp:${provider.issuer}`, 'emma']);
  });
});
