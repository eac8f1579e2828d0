import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AccountServer,
  accountsPath,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import {
  type Administering,
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { followFlow, type ResourceOwnerAnswers } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

const person = 'emma';
const password = 'correct horse battery';
const path = '/admin/resourceServer';

describe('a token of the administration pages', () => {
  let server: AccountServer;
  let root: Administering;
  before(async () => {
    server = await startAccountServer();
    root = await server.logIn('root');
    await server.addAccount(person);
  });
  after(() => server[Symbol.asyncDispose]());

  const changeOwn = async (agent: UserAgent, more: Record<string, string | string[]>) => {
    const page = await agent.get(`${server.baseUrl}/account/password`);
    const passwords = { password, new_password: password, new_password_again: password };
    await agent.submit(page, { ...passwords, ...more });
  };
  const account = async (change: object) => {
    const { json } = await root.get(`${accountsPath}?q=${person}`);
    const { status } = await root.call('PATCH', `${accountsPath}/${json[0].id}`, change);
    assert.equal(status, 200);
  };
  const ends: Readonly<Record<string, (agent: UserAgent) => Promise<unknown>>> = {
    'the person logs out in another tab': async (agent) =>
      agent.submit(await agent.get(`${server.baseUrl}/logout`), {}),
    'an administrator ends the session': async () => {
      const { json } = await root.get(
        `/admin/loginSession?resourceOwnerId=${person}&identityProvider=password`,
      );
      for (const { id } of json) await root.call('DELETE', `/admin/loginSession/${id}`);
    },
    'the person changes the own password, and applications keep their access': (agent) =>
      changeOwn(agent, { end_grants: [] }),
    'everything of the person is revoked': () =>
      root.call('POST', '/admin/resourceOwner/revocation', {
        resourceOwnerId: person,
        resourceOwnerAuthority: 'password',
      }),
    'the account is disabled': async () => {
      await account({ disabled: true });
      await account({ disabled: false });
    },
    'another person logs in with the same browser': async (agent) => {
      const url = `${server.baseUrl}/authorize?response_type=code&client_id=demo-app&prompt=login`;
      await agent.submit(await agent.get(url), { username: 'root', password });
    },
  };

  for (const [when, end] of Object.entries(ends)) {
    it(`is not valid any more when ${when}`, async () => {
      const agent = new UserAgent();
      const caller = await server.logIn(person, password, agent);
      assert.equal((await caller.get(path)).status, 200);
      await end(agent);
      const { status, json } = await caller.get(path);
      assert.deepEqual([status, json.error], [401, 'invalid_token']);
      const created = await caller.call('POST', path, { name: 'After', contactName: 'x' });
      assert.equal(created.status, 401);
    });
  }

  it('stays valid in another browser of the person', async () => {
    const [here, there] = [new UserAgent(), new UserAgent()];
    const [caller, other] = [
      await server.logIn(person, password, here),
      await server.logIn(person, password, there),
    ];
    await there.submit(await there.get(`${server.baseUrl}/logout`), {});
    assert.equal((await other.get(path)).status, 401);
    assert.equal((await caller.get(path)).status, 200);
  });
});

describe('the consent to the administration pages', () => {
  let server: AdministrationServer;
  before(async () => {
    server = await startAdministration();
  });
  after(() => server[Symbol.asyncDispose]());

  const administrator = { username: 'root', password: JSON.stringify({ adminPrincipal: true }) };
  /** The scopes that the pages get, and whether somebody was asked. */
  const signIn = async (
    answers: ResourceOwnerAnswers,
    { agent = new UserAgent(), ...more }: { agent?: UserAgent; prompt?: string } = {},
  ) => {
    const query = new URLSearchParams({
      response_type: 'token',
      client_id: 'authorization-server-admin-js-client',
      redirect_uri: `${server.service.baseUrl}/client/client.html`,
      ...more,
    });
    const flow = await followFlow(agent, `${server.baseUrl}/authorize?${query}`, answers);
    const isAsked = flow.pages.some(({ forms }) =>
      forms.some(({ controls }) => controls.some(({ name }) => name === 'decision')),
    );
    return { isAsked, scope: flow.parameters.get('scope') };
  };

  it('is not asked of an administrator', async () => {
    assert.deepEqual(await signIn(administrator), { isAsked: false, scope: 'read write' });
  });

  it('is asked of everybody else, and of an administrator when the request says so', async () => {
    assert.ok((await signIn({ password: '{}' })).isAsked);
    assert.ok((await signIn(administrator, { prompt: 'consent' })).isAsked);
  });

  it('is asked again of an administrator who has left out a scope', async () => {
    const agent = new UserAgent();
    const reader = { ...administrator, username: 'reader' };
    await signIn({ ...reader, scopes: ['read'] }, { agent, prompt: 'consent' });
    assert.ok((await signIn(reader, { agent })).isAsked);
  });
});
