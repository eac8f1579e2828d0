import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import {
  basic,
  demoClient,
  demoResourceServer,
  readAnswer,
  startServer,
  type TestServer,
} from '@watchword/server-testkit/servers/server';
import { addressGroup, addressSite } from '../../src/runtime/limits/address-group.ts';
import { FailedAttempts } from '../../src/runtime/limits/failed-attempts.ts';
import { SharedFailedAttempts } from '../../src/runtime/limits/shared-failed-attempts.ts';
import { alone, type Siblings } from '../../src/runtime/nodes/siblings.ts';
import { assertError } from '../support/error-answers.ts';

const grant = { grant_type: 'client_credentials' };

async function fail(server: TestServer, times: number, credentials: string): Promise<void> {
  for (let time = 0; time < times; time += 1) await server.post('/oauth2/token', grant, credentials);
}

describe('failed authentications', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ 'failedAttempts.perIdentifier': '5' });
  });
  after(() => server[Symbol.asyncDispose]());

  /** A client of which no test counts the failures. */
  async function newClient() {
    const { client, credentials } = await registerClient(server, { allowedClientCredentials: true });
    return { right: credentials, wrong: `${client.clientId}:wrong` };
  }

  it('are answered 429 above the limit of an identifier, also with the right secret', async () => {
    const { right, wrong } = await newClient();
    await fail(server, 4, wrong);
    assertError(await server.post('/oauth2/token', grant, wrong), 401, 'invalid_client');
    assertError(await server.post('/oauth2/token', grant, wrong), 429, 'too_many_requests');
    assertError(await server.post('/oauth2/token', grant, right), 429, 'too_many_requests');
  });

  it('do not affect other clients and resource servers of the same address', async () => {
    await fail(server, 6, 'another:wrong');
    const token = await server.issueToken();
    const answer = await server.post('/v1/tokeninfo', { access_token: token }, demoResourceServer);
    assert.equal(answer.status, 200);
  });

  it('are counted also when requests in between succeed', async () => {
    const { right, wrong } = await newClient();
    for (let time = 0; time < 5; time += 1) {
      assert.equal((await server.post('/oauth2/token', grant, right)).status, 200);
      await fail(server, 1, wrong);
    }
    assertError(await server.post('/oauth2/token', grant, right), 429, 'too_many_requests');
  });

  it('above the limit of an address reject failures only, so that its other clients continue', async () => {
    await using server = await startServer({ 'failedAttempts.perAddress': '5' });
    for (let time = 0; time < 5; time += 1) await fail(server, 1, `client-${time}:wrong`);
    assertError(await server.post('/oauth2/token', grant, 'another:wrong'), 429, 'too_many_requests');
    assertError(await server.post('/oauth2/token', grant), 429, 'too_many_requests');
    assert.ok(await server.issueToken());
  });

  it('cannot be moved to another address by a header of a caller that is not a trusted proxy', async () => {
    const { wrong } = await newClient();
    const forged = async (index: number) =>
      readAnswer(
        await fetch(`${server.baseUrl}/oauth2/token`, {
          method: 'POST',
          headers: { authorization: basic(wrong), 'x-forwarded-for': `10.0.0.${index}` },
          body: new URLSearchParams(grant),
        }),
      );
    for (let index = 0; index < 5; index += 1) assertError(await forged(index), 401, 'invalid_client');
    assertError(await forged(9), 429, 'too_many_requests');
  });

  it('are counted by the address that a trusted proxy names, IPv6 by its /64', async () => {
    await using server = await startServer({
      'failedAttempts.perIdentifier': '5',
      trustedProxies: '127.0.0.1',
    });
    const from = async (address: string, credentials: string) =>
      (
        await fetch(`${server.baseUrl}/oauth2/token`, {
          method: 'POST',
          headers: { authorization: basic(credentials), 'x-forwarded-for': address },
          body: new URLSearchParams(grant),
        })
      ).status;
    for (let index = 0; index < 5; index += 1) {
      assert.equal(await from(`2001:db8:1:2::${index}`, 'demo-service:wrong'), 401);
    }
    assert.equal(await from('2001:db8:1:2:ffff::1', demoClient), 429);
    assert.equal(await from('2001:db8:1:3::1', demoClient), 200);
    assert.equal(await from('_obfuscated', demoClient), 200);
  });

  it('stay limited for an identifier also where the address is over its own limit', () => {
    const attempts = new FailedAttempts({ perIdentifier: 10, perAddress: 20 });
    for (let index = 0; index < 21; index += 1) attempts.recordFailure('192.0.2.1', `other-${index}`);
    for (let time = 0; time < 10; time += 1) attempts.recordFailure('192.0.2.1', 'target');
    assert.ok(attempts.secondsUntilAllowed('192.0.2.1', 'target') > 0);
    assert.equal(attempts.secondsUntilAllowed('192.0.2.2', 'target'), 0);
  });

  it('are forgotten after a minute of monotonic time', () => {
    let now = 0;
    const attempts = new FailedAttempts({ perIdentifier: 2, perAddress: 0 }, () => now);
    attempts.recordFailure('192.0.2.1', 'a');
    attempts.recordFailure('192.0.2.1', 'a');
    assert.equal(attempts.secondsUntilAllowed('192.0.2.1', 'a'), 60);
    now = 59_001;
    assert.equal(attempts.secondsUntilAllowed('192.0.2.1', 'a'), 1);
    now = 60_001;
    assert.equal(attempts.secondsUntilAllowed('192.0.2.1', 'a'), 0);
  });

  it('are limited until the end of the minute of each identifier, also if others are limited at another time', () => {
    let now = 0;
    const attempts = new FailedAttempts({ perIdentifier: 1, perAddress: 0 }, () => now);
    const limited = () => ['a', 'b'].filter((id) => attempts.secondsUntilAllowed('192.0.2.1', id) > 0);
    attempts.recordFailure('192.0.2.1', 'a');
    now = 30_000;
    attempts.recordFailure('192.0.2.1', 'b');
    attempts.recordFailure('192.0.2.1', 'a');
    assert.deepEqual(limited(), ['a', 'b']);
    now = 60_001;
    assert.deepEqual(limited(), ['b']);
    now = 90_001;
    assert.deepEqual(limited(), []);
  });

  it('are not limited where the limits are 0', () => {
    const attempts = new FailedAttempts({ perIdentifier: 0, perAddress: 0 });
    for (let time = 0; time < 1000; time += 1) {
      assert.equal(attempts.recordFailure('192.0.2.1', 'a'), 0);
      assert.equal(attempts.secondsUntilAllowed('192.0.2.1', 'a'), 0);
    }
  });
});

describe('the group of an address', () => {
  for (const [address, group] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::ffff:c000:201', '192.0.2.1'],
    ['64:ff9b::192.0.2.1', '192.0.2.1'],
    ['64:ff9b::c000:201', '192.0.2.1'],
    ['64:ff9b:1::c000:201', '64:ff9b:1:0::/64'],
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
    ['2001:DB8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:ffff::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['192.0.2.1:5678', '192.0.2.1'],
    ['[2001:db8::1]:5678', '2001:db8:0:0::/64'],
    ['[2001:db8::1]', '2001:db8:0:0::/64'],
    ['not:an:address', 'unknown'],
    ['_obfuscated', 'unknown'],
    ['', 'unknown'],
  ] as const) {
    it(`of ${address} is ${group}`, () => assert.equal(addressGroup(address), group));
  }
});

describe('the site of an address', () => {
  for (const [address, site] of [
    ['2001:db8:0:1:2:3:4:5', '2001:db8:0::/48'],
    ['[2001:db8:ff:1::1]:5678', '2001:db8:ff::/48'],
    ['192.0.2.1', undefined],
    ['::ffff:192.0.2.1', undefined],
    ['64:ff9b::192.0.2.1', undefined],
    ['_obfuscated', undefined],
  ] as const) {
    it(`of ${address} is ${site ?? 'none'}`, () => assert.equal(addressSite(address), site));
  }
});

describe('the limits of several processes at one port', () => {
  /** Processes whose questions arrive when the test says so. */
  function processes(count: number, perAddress: number) {
    const answers: ((argument: unknown) => unknown)[] = [];
    const asked: (() => void)[] = [];
    const siblings = (): Siblings => ({
      ...alone(),
      count,
      answer: (_question, answer) => void answers.push(answer),
      askAll: (_question, argument) =>
        new Promise((resolve) => {
          asked.push(() => resolve(answers.map((answer) => answer(argument)) as never[]));
        }),
    });
    const limits = { perAddress, perIdentifier: 0 };
    const limiters = Array.from(
      { length: count },
      (_, from) => new SharedFailedAttempts(new FailedAttempts(limits), siblings(), from),
    );
    const deliver = () => {
      for (const arrive of asked.splice(0)) arrive();
    };
    return { limiters, deliver };
  }

  /** How many failures of a burst at all processes are within the limit. */
  const passed = (limiters: readonly SharedFailedAttempts[]) =>
    times(200).filter(
      (index) => limiters[index % limiters.length]?.recordFailure('192.0.2.1', `x${index}`) === 0,
    ).length;

  it('let a burst at all of them never pass the limit of one', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { limiters } = processes(2, 60);
    assert.equal(passed(limiters), 60);
    assert.equal(passed(limiters), 0);
  });

  it('let one of them have the limit, but for one, where the others have counted its failures between', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const { limiters, deliver } = processes(2, 60);
    let within = 0;
    for (const index of times(70)) {
      if (limiters[0]?.recordFailure('192.0.2.1', `x${index}`) === 0) within += 1;
      t.mock.timers.tick(50);
      deliver();
      // The answers arrive.
      for (const _ of times(3)) await Promise.resolve();
    }
    assert.equal(within, 59);
  });
});

function times(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
