import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  type AccountServer,
  type AccountUsers,
  accountsPath,
  accountUsers,
  startAccountServer,
} from '@watchword/server-testkit/servers/account-server';
import { stoppedClock } from '@watchword/server-testkit/servers/clock';
import { type Nodes, startNodes } from '@watchword/server-testkit/servers/nodes';
import { slowSuite, slowTest } from '@watchword/testkit';
import { type Page, UserAgent } from '@watchword/testkit/user-agent';
import { defaultLoginLimits } from '../../../src/modules/services/login-attempts.ts';

const password = 'correct horse battery';
const chosen = 'a new and long one';
const { perAccount, perAccountAndSite, perNetwork } = defaultLoginLimits;

/** The login of the account page from a network address, which a proxy reports. */
function loginsAt({ baseUrl }: { readonly baseUrl: string }) {
  const url = `${baseUrl}/account`;
  const at = (address: string, ...cookies: readonly string[]) => {
    const agent = new UserAgent({ 'x-forwarded-for': address });
    for (const cookie of cookies) agent.plantCookie(cookie);
    return agent;
  };
  const logIn = async (agent: UserAgent, username: string, given = password): Promise<Page> =>
    agent.submit(await agent.get(url), { username, password: given });
  return {
    at,
    url,
    logIn,
    /** Whether the browser was let in; `undefined` if it has to wait. */
    async gets(agent: UserAgent, username: string, given = password): Promise<boolean | undefined> {
      const { status } = await logIn(agent, username, given);
      return status === 429 ? undefined : status === 303;
    },
    /** Guesses at made-up names until the address has to wait. */
    async holdUp(address: string): Promise<Page> {
      const agent = at(address);
      const login = await agent.get(url);
      let page = login;
      for (let guess = 0; guess <= perNetwork.burst; guess += 1) {
        page = await agent.submit(login, { username: `made-up-${guess}`, password: 'x' });
      }
      assert.equal(page.status, 429);
      return page;
    },
  };
}

/** The cookie by which the server knows the device, as `name=value`. */
function deviceOf(agent: UserAgent): string {
  const cookie = agent.cookies.find(({ name }) => name.includes('_device'));
  assert.ok(cookie !== undefined);
  return `${cookie.name}=${cookie.value}`;
}

describe('an attacker who wants to keep users out', () => {
  let server: AccountServer;
  let clock: Disposable;
  let addresses = 0;
  /** An address that has to wait: time stands still. */
  let office: string;
  let held: Page;
  before(async () => {
    server = await startAccountServer({ trustedProxies: '127.0.0.1' });
    clock = stoppedClock();
    office = newAddress();
    held = await loginsAt(server).holdUp(office);
  });
  after(async () => {
    clock?.[Symbol.dispose]();
    await server?.[Symbol.asyncDispose]();
  });
  const newAddress = () => {
    addresses += 1;
    return `203.0.113.${addresses}`;
  };

  it('slows down new devices at an address for at most ten seconds each, and no device that is known', async () => {
    await server.addAccount('alice');
    const { at, gets, logIn } = loginsAt(server);
    const known = at(newAddress());
    assert.ok(await gets(known, 'alice'));
    assert.equal(held.headers.get('retry-after'), String(perNetwork.interval / 1000));
    assert.match(held.text, /Too many attempts\. Try again in 10 seconds/);
    const fresh = await logIn(at(office), 'alice');
    assert.deepEqual([fresh.status, fresh.headers.get('retry-after')], [429, '10']);
    assert.ok(await gets(at(office, deviceOf(known)), 'alice'));
  });

  it('cannot use up the attempts at an account from one /48, however many networks it has', async () => {
    await server.addAccount('anna');
    const { at, gets, url } = loginsAt(server);
    assert.ok(perAccountAndSite.burst < perAccount.burst);
    // One page, from many networks.
    const headers: Record<string, string> = {};
    const roaming = new UserAgent(headers);
    const page = await roaming.get(url);
    for (let guess = 0; guess <= perAccountAndSite.burst; guess += 1) {
      headers['x-forwarded-for'] = `2001:db8:7:${guess}::1`;
      await roaming.submit(page, { username: 'anna', password: 'wrong horse' });
    }
    assert.equal(await gets(at('2001:db8:7:999::1'), 'anna'), undefined);
    assert.ok(await gets(at('2001:db8:8::1'), 'anna'));
    assert.ok(await gets(at(newAddress()), 'anna'));
  });

  it('does not get past a limit with a device of another account', async () => {
    for (const username of ['berta', 'mallory']) await server.addAccount(username);
    const { at, gets } = loginsAt(server);
    const own = at(newAddress());
    assert.ok(await gets(own, 'mallory'));
    assert.equal(await gets(at(office, deviceOf(own)), 'berta'), undefined);
    assert.ok(await gets(at(office, deviceOf(own)), 'mallory'));
  });

  it('who knew an earlier password has no device that is known any more, and the user has one', async () => {
    await server.addAccount('clara');
    const { at, gets, url } = loginsAt(server);
    const [thief, user] = [at(newAddress()), at(newAddress())];
    for (const agent of [thief, user]) assert.ok(await gets(agent, 'clara'));
    const fields = { password, new_password: chosen, new_password_again: chosen };
    await user.submit(await user.get(`${url}/password`), fields);
    assert.equal(await gets(at(office, deviceOf(thief)), 'clara', chosen), undefined);
    assert.ok(await gets(at(office, deviceOf(user)), 'clara', chosen));
  });

  it('does not keep users from their reset links, nor from the login after them', async () => {
    const root = await server.logIn('root');
    const { resetLink } = await root.create(accountsPath, { username: 'doris' });
    const { at, gets } = loginsAt(server);
    const agent = at(office);
    const fields = { new_password: chosen, new_password_again: chosen };
    assert.equal((await agent.submit(await agent.get(resetLink), fields)).status, 200);
    assert.equal(await gets(at(office), 'doris', chosen), undefined);
    assert.ok(await gets(agent, 'doris', chosen));
  });

  it('who plants a second cookie takes the known device away, and no more', async () => {
    await server.addAccount('edith');
    const { at, gets } = loginsAt(server);
    const known = at(newAddress());
    await gets(known, 'edith');
    const device = deviceOf(known);
    const planted = `${device.split('=')[0]}=planted`;
    assert.ok(await gets(at(newAddress(), device, `${planted}; Path=/login`), 'edith'));
    // The cookie of the longer path comes first.
    assert.equal(await gets(at(office, device, `${planted}; Path=/login`), 'edith'), undefined);
    assert.equal(await gets(at(office, `${device}; Path=/login`, planted), 'edith'), undefined);
    assert.ok(await gets(at(office, device, `${device}; Path=/login`), 'edith'));
  });

  // change-password.test.ts holds it, in one browser.
  slowTest('cannot guess faster at the page for a new password than at a login', async () => {
    await server.addAccount('fanny');
    const { at, gets, url } = loginsAt(server);
    const agent = at(newAddress());
    await gets(agent, 'fanny');
    const fields = { new_password: chosen, new_password_again: chosen };
    let page = await agent.get(`${url}/password`);
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess += 1) {
      page = await agent.submit(page, { ...fields, password: `guess ${guess}` });
      statuses.push(page.status);
    }
    assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429, 429]);
    assert.equal(await gets(at(newAddress(), deviceOf(agent)), 'fanny'), undefined);
  });
});

describe('the cookie of a known device', () => {
  it('is for this server only, for a year, and not for scripts or other sites', async () => {
    await using server = await startAccountServer({ baseUrl: 'https://apps.example/sso' });
    const agent = await server.browserOf('root');
    const cookie = agent.cookies.find(({ name }) => name.includes('_device'));
    // browser-cookies.test.ts has the names and paths of other base URLs.
    assert.equal(cookie?.name, '__Secure-watchword_device.sso');
    const { attributes, value } = cookie;
    assert.equal(attributes.get('path'), '/sso');
    assert.equal(attributes.get('samesite'), 'Lax');
    assert.equal(attributes.get('max-age'), '31536000');
    assert.deepEqual(
      [attributes.has('httponly'), attributes.has('secure'), attributes.has('domain')],
      [true, true, false],
    );
    assert.doesNotMatch(value, /root/);
  });
});

slowSuite('a known device, over several nodes', () => {
  let nodes: Nodes;
  let users: AccountUsers;
  before(async () => {
    nodes = await startNodes([0, 0], { authenticator: 'password', trustedProxies: '127.0.0.1' });
    users = await accountUsers(nodes);
    await users.addAccount('emma');
  });
  after(() => nodes?.[Symbol.asyncDispose]());

  it('is known to each of them, and counted by them together', async () => {
    const { at, gets } = loginsAt(nodes);
    const [home, office] = ['203.0.113.1', '203.0.113.2'];
    const known = at(home);
    assert.ok(await gets(known, 'emma'));
    /** Guesses until the browser has to wait. The waits are in real time, so a slow machine needs more. */
    const holdUp = async (...cookies: readonly string[]) => {
      let guesses = 0;
      while ((await gets(at(office, ...cookies), 'emma', 'wrong horse')) === false && guesses < 20)
        guesses += 1;
      assert.ok(guesses >= 5 && guesses < 20, `${guesses} guesses`);
    };
    await holdUp();
    const device = deviceOf(known);
    for (let login = 0; login < 2; login += 1) assert.ok(await gets(at(office, device), 'emma'));
    await holdUp(device);
    assert.ok(await gets(at(home), 'emma'));
  });
});
