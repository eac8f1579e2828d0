import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { startServer, type TestServer } from '@watchword/server-testkit/servers/server';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { defaultLoginLimits } from '../../src/modules/services/login-attempts.ts';
import { authorizePath } from '../support/module-server.ts';

/** A login by a PIN, with a limit on attempts from the services. The right PIN is 1234. */
const pinLogin = `
export default ({ services: { loginAttempts } }) => ({
  name: 'pin',
  begin: async () => ({ type: 'form' }),
  async resume({ source, device }, submission) {
    const name = submission.get('username')[0];
    const wait = await loginAttempts.begin(name, source, device);
    if (wait > 0) return { type: 'form', status: 429, message: 'wait ' + wait };
    const pin = submission.get('password')[0];
    if (pin === 'broken') {
      await loginAttempts.withdraw(name, source, device);
      return { type: 'form', status: 503, message: 'broken' };
    }
    if (pin !== '1234') return { type: 'form', status: 403, message: 'wrong' };
    await loginAttempts.succeed(name, source, device);
    return {
      type: 'authenticated',
      device: loginAttempts.remember(name, device),
      principal: { name, roles: [], groups: [], adminPrincipal: false, attributes: {} },
    };
  },
});
`;

describe('the service loginAttempts', () => {
  const { free } = defaultLoginLimits.perAccountAndNetwork;
  let server: TestServer;
  before(async () => {
    await using directory = await temporaryDirectory();
    const module = directory.file('pin.mjs');
    await writeFile(module, pinLogin);
    const authenticators = JSON.stringify([{ module }, { module, as: 'second' }, 'password']);
    server = await startServer({ authenticators, consent: 'noop' });
  });
  after(() => server[Symbol.asyncDispose]());

  const attempt = async (
    authenticator: string,
    username: string,
    password: string,
    agent = new UserAgent(),
  ): Promise<Page> => {
    const login = await agent.get(`${server.baseUrl}${authorizePath}&authenticator_hint=${authenticator}`);
    return agent.submit(login, { username, password });
  };
  const failUntilHeldUp = async (authenticator: string, username: string) => {
    for (let count = 0; count < free; count += 1) {
      assert.equal((await attempt(authenticator, username, '0')).status, 403);
    }
    assert.equal((await attempt(authenticator, username, '1234')).status, 429);
  };

  it('makes a caller wait after some failures, even with the right secret', async () => {
    await failUntilHeldUp('pin', 'emma');
    assert.match((await attempt('pin', 'emma', '0')).text, /wait \d+/);
  });

  it('knows the device of an earlier login, where others do not make it wait', async () => {
    const agent = new UserAgent();
    assert.equal((await attempt('pin', 'rita', '1234', agent)).status, 303);
    const device = agent.cookies.find(({ name }) => name.includes('_device'));
    const statusAt = async (authenticator: string) => {
      await failUntilHeldUp(authenticator, 'rita');
      const known = new UserAgent();
      known.plantCookie(`${device?.name}=${device?.value}; Path=/`);
      return (await attempt(authenticator, 'rita', '1234', known)).status;
    };
    assert.deepEqual([await statusAt('pin'), await statusAt('second')], [303, 429]);
  });

  it('counts the accounts of each authenticator apart', async () => {
    await failUntilHeldUp('pin', 'nora');
    assert.equal((await attempt('second', 'nora', '0')).status, 403);
    assert.equal((await attempt('password', 'nora', '0')).status, 403);
  });

  it('forgets no failures at one authenticator because of a login at another one', async () => {
    await failUntilHeldUp('second', 'olga');
    assert.equal((await attempt('pin', 'olga', '1234')).status, 303);
    assert.equal((await attempt('second', 'olga', '1234')).status, 429);
  });

  it('does not count what succeeds, nor what is withdrawn', async () => {
    for (let round = 0; round < 2 * free; round += 1) {
      assert.equal((await attempt('pin', 'petra', 'broken')).status, 503);
    }
    for (let round = 0; round < 2; round += 1) {
      for (let count = 1; count < free; count += 1) {
        assert.equal((await attempt('pin', 'petra', '0')).status, 403);
      }
      assert.equal((await attempt('pin', 'petra', '1234')).status, 303);
    }
  });

  it('counts in the store, so that another process knows', async () => {
    await using directory = await temporaryDirectory();
    const module = directory.file('pin.mjs');
    await writeFile(module, pinLogin);
    const first = await startServer({ authenticator: module, database: directory.file('x.db') });
    const login = async ({ baseUrl }: TestServer, password: string) => {
      const agent = new UserAgent();
      const page = await agent.get(`${baseUrl}${authorizePath}`);
      return (await agent.submit(page, { username: 'quinn', password })).status;
    };
    for (let count = 0; count < free; count += 1) assert.equal(await login(first, '0'), 403);
    await first[Symbol.asyncDispose]();
    await using second = await startServer({ authenticator: module, database: directory.file('x.db') });
    assert.equal(await login(second, '1234'), 429);
  });
});

/** A consent module that asks another server, and shows the result. */
const asking = `
export default ({ settings, services }) => {
  const ask = services.createOutboundFetch(settings.outbound);
  const begin = async () => {
    try {
      using answer = await ask(settings.url, { body: 'hello' });
      const { url, status } = answer;
      return { type: 'form', message: status + ' ' + url.pathname + ' ' + (await answer.text()) };
    } catch (error) {
      return { type: 'form', message: error.name + ' ' + error.kind + ': ' + error.message };
    }
  };
  return { name: 'asking', begin, resume: begin };
};
`;

describe('the service createOutboundFetch', () => {
  it('asks another server where the operator permits it, and no private address else', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('asking.mjs');
    await writeFile(file, asking);
    const other = createServer((request, response) => {
      request.pipe(response);
    });
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      for (const [outbound, expected] of [
        [{ allowHttp: true, allowPrivateAddresses: [`127.0.0.1:${port}`] }, /200 \/x hello/],
        [{ allowHttp: true }, /OutboundError private-address: /],
        [undefined, /OutboundError invalid-url: /],
      ] as const) {
        const consentOptions = JSON.stringify({ url: `http://127.0.0.1:${port}/x`, outbound });
        await using server = await startServer({ authenticator: 'noop', consent: file, consentOptions });
        assert.match((await new UserAgent().get(`${server.baseUrl}${authorizePath}`)).text, expected);
      }
    } finally {
      other.close();
      other.closeAllConnections();
    }
  });
});
