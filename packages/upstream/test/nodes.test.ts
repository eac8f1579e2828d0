import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ask } from '@watchword/server-testkit/clients/ask';
import { type AccountUsers, accountUsers } from '@watchword/server-testkit/servers/account-server';
import { slowTest } from '@watchword/testkit';
import { UserAgent } from '@watchword/testkit/user-agent';
import { beginLink, besideAccounts, logInWithPassword } from './support/links.ts';
import {
  atProvider,
  codeOf,
  logIn,
  optionsFor,
  requestLogin,
  type Service,
  startServiceOfNodes,
} from './support/service.ts';
import { clientId, startTestProvider, type TestProvider } from './support/test-provider.ts';

const hint = '&authenticator_hint=corp';

/** The balancer gives each request to the other node. */
describe('each of two nodes', () => {
  let provider: TestProvider;
  let service: Service;
  let users: AccountUsers;
  before(async () => {
    provider = await startTestProvider();
    service = await startServiceOfNodes(besideAccounts({ options: optionsFor(provider) }));
    users = await accountUsers(service.server);
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await provider?.[Symbol.asyncDispose]();
  });

  const isLoggedIn = async (agent: UserAgent) =>
    (await agent.get(`${service.baseUrl}/account`)).html.includes('page-account');
  /** A request more, so that the other node has the next one. */
  const turn = () => ask(`${service.baseUrl}/healthz`);

  it('finishes a login that the other one sent to the provider, one response once at both', async () => {
    provider.person = { sub: 'user-1', name: 'Emma' };
    for (const _ of ['one', 'two']) {
      const agent = new UserAgent();
      const response = await atProvider(await requestLogin(service, agent, hint));
      const pages = await Promise.all([agent.get(response), agent.get(response)]);
      const finished = pages.filter(({ location }) => location !== undefined);
      assert.equal(finished.length, 1, pages.map(({ status, text }) => `${status} ${text}`).join('\n'));
      for (const page of finished) assert.equal((await service.tokenInfo(page)).principal.name, 'user-1');
      assert.deepEqual([await isLoggedIn(agent), await isLoggedIn(agent)], [true, true]);
      await turn();
    }
  });

  // linking.test.ts: "links one person at once to one account" at one server, for the same reason: a row of the database.
  slowTest(
    'links a person whom the other one sent to the provider, to one account of those that both link at once',
    async () => {
      provider.person = { sub: 'of two accounts', name: 'Gina' };
      const names = ['gina', 'hugo'];
      for (const name of names) await users.addAccount(name);
      const agents = await Promise.all(names.map((name) => logInWithPassword(service, name)));
      const asking = [];
      for (const agent of agents) {
        asking.push({ agent, page: await agent.get(await beginLink(service, agent, provider.issuer)) });
        await turn();
      }
      const done = await Promise.all(asking.map(({ agent, page }) => agent.submit(page, {})));
      const texts = done.map(({ text }) => (/The service is linked/.test(text) ? 'linked' : 'refused'));
      assert.deepEqual(texts.toSorted(), ['linked', 'refused']);
      const winner = names[texts.indexOf('linked')];
      for (const _ of ['one', 'two']) {
        codeOf(await logIn(service, new UserAgent(), hint));
        assert.equal((await service.session()).owner.principal.name, winner);
        await turn();
      }
    },
  );

  it('ends sessions of logins at the other one, and refuses a logout token that the other one accepted', async () => {
    provider.person = { sub: 'user-2', sid: 'session-2' };
    const agents = [new UserAgent(), new UserAgent()];
    for (const agent of agents) {
      codeOf(await logIn(service, agent, hint));
      await turn();
    }
    const areLoggedIn = async () => {
      const answers: boolean[] = [];
      for (const agent of agents) for (const _ of ['one', 'two']) answers.push(await isLoggedIn(agent));
      return answers;
    };
    assert.deepEqual(await areLoggedIn(), [true, true, true, true]);
    const token = await provider.logoutToken(clientId, { sub: undefined, sid: 'session-2' });
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) statuses.push((await service.logOut(token)).status);
    assert.deepEqual(statuses, [200, 400, 400, 400]);
    // At once: no test waits for the second within which every node has to know it.
    assert.deepEqual(await areLoggedIn(), [false, false, false, false]);
  });
});
