import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AccountServer,
  accountsPath,
  startAccountServer,
} from '@watchword/server-testkit/account-server';
import { stoppedClock } from '@watchword/server-testkit/clock';
import { addPasskey, usePasskey } from '@watchword/server-testkit/passkeys';
import type { Authenticator } from '@watchword/testkit/authenticator';
import { UserAgent } from '@watchword/testkit/user-agent';
import { assertError } from './support/error-answers.ts';

let server: AccountServer;
before(async () => {
  server = await startAccountServer();
});
after(() => server[Symbol.asyncDispose]());

const url = (path: string) => `${server.baseUrl}${path}`;

/** A person who has a passkey and no password. */
async function withPasskey(username: string, adminPrincipal = false): Promise<Authenticator> {
  await server.addAccount(username, adminPrincipal);
  const authenticator = await addPasskey(server, username);
  await server.service.store.accounts.update(username, { passwordHash: undefined }, Date.now());
  return authenticator;
}

describe('a person who has a passkey alone', () => {
  it('proves with it what others prove with the password, in a session that is hours old', async () => {
    const authenticator = await withPasskey('emma');
    const agent = new UserAgent();
    await usePasskey(agent, await agent.get(url('/account')), authenticator, server);
    using clock = stoppedClock();
    for (const path of ['/account/password', '/account/passkey', '/account/totp', '/account/delete']) {
      clock.advance(3600);
      const login = await agent.get(url(path));
      assert.match(login.text, /Use a passkey/, path);
      const { location } = await usePasskey(agent, login, authenticator, server);
      assert.equal(location, `${server.service.baseUrl}${path}`);
      const page = await agent.get(url(path));
      assert.doesNotMatch(page.html, /name="password"|just now/, path);
    }
    clock.advance(3600);
    const login = await agent.get(url('/account/delete'));
    await usePasskey(agent, login, authenticator, server);
    const deleted = await agent.submit(await agent.get(url('/account/delete')), {});
    assert.match(deleted.text, /deleted/i);
    assert.equal(await server.service.store.accounts.find('emma'), undefined);
  });
});

describe('an administrator who has a passkey alone', () => {
  it('can log in, and so counts as one who is left', async () => {
    const { accounts, credentials } = server.service.store;
    await withPasskey('ada', true);
    const root = await server.logIn('root');
    const idOf = async (username: string) => (await accounts.find(username))?.id;
    const [ofRoot, ofAda] = [await idOf('root'), await idOf('ada')];
    const { subject } = (await root.get(`${accountsPath}/${ofAda}`)).json;
    await credentials.deleteBySubject(subject);
    assertError(await root.call('DELETE', `${accountsPath}/${ofRoot}`), 409, 'conflict');
    await addPasskey(server, 'ada');
    assert.equal((await root.call('DELETE', `${accountsPath}/${ofRoot}`)).status, 200);
  });
});
