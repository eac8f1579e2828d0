import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attemptedAccount } from '@watchword/accounts';
import { buildAccount, FakeClock, memoryStore, seededRandom } from '@watchword/testkit';
import { loginAttempts } from '../../src/modules/services/login-attempts.ts';
import { mailLimits } from '../../src/modules/services/mail-limits.ts';
import { addressGroup, addressSite } from '../../src/runtime/limits/address-group.ts';

const home = '192.0.2.7';
const many = Array.from({ length: 100 }, (_, index) => index);

describe('mails that tell of a login', () => {
  const start = () => {
    const clock = new FakeClock();
    const { tells } = mailLimits({
      ...{ store: memoryStore().loginAttempts, clock, random: seededRandom('mails') },
      ...{ digestKey: () => Buffer.alloc(32, 1), networkOf: addressGroup, siteOf: addressSite },
    });
    const account = (id: string) => buildAccount({ id, username: id });
    return { clock, tells: (id: string, source: string) => tells(account(id), source) };
  };
  const told = (answers: readonly boolean[]) => answers.filter(Boolean).length;

  it('are few for one account from one network, and come again after a while', async () => {
    const { clock, tells } = start();
    const answers = [];
    for (const _ of many) answers.push(await tells('emma', home));
    assert.deepEqual([told(answers), told(answers.slice(0, 3))], [3, 3]);
    clock.advance(5 * 60_000);
    assert.deepEqual([await tells('emma', home), await tells('emma', home)], [true, false]);
  });

  it('are not kept from one account by logins to others in the same network', async () => {
    const { tells } = start();
    for (const index of many) assert.ok(await tells(`account-${index}`, home));
  });

  it('are not kept from an account by logins to it from other networks', async () => {
    const { tells } = start();
    for (const index of many) assert.ok(await tells('emma', `198.51.100.${index}`));
  });
});

describe('mails that somebody asks for', () => {
  const start = () => {
    const clock = new FakeClock();
    const parts = {
      ...{ store: memoryStore().loginAttempts, clock, random: seededRandom('floods') },
      ...{ digestKey: () => Buffer.alloc(32, 1), networkOf: addressGroup, siteOf: addressSite },
    };
    const browser = { binding: undefined, session: undefined, requestId: '1' };
    const emma = buildAccount({ username: 'emma' });
    const ask = (source: string, named: Parameters<ReturnType<typeof mailLimits>['allows']>[0] = emma) =>
      mailLimits(parts).allows(named, { ...browser, source });
    const logIn = (source: string) =>
      loginAttempts(parts)('password').succeed(attemptedAccount('emma', emma), source);
    return { clock, ask, logIn };
  };
  const elsewhere = many.map((index) => `198.51.100.${index}`);

  it('are ten for an account or an address from however many networks, and then one an hour', async () => {
    const { clock, ask } = start();
    for (const named of [undefined, 'sign-up emma@example.org'] as const) {
      const mailed = async () => {
        let count = 0;
        for (const source of elsewhere) if (await ask(source, named)) count += 1;
        return count;
      };
      assert.equal(await mailed(), 10);
      clock.advance(3_600_000);
      assert.equal(await mailed(), 1);
    }
  });

  it('come to the owner in a flood, from a network that the owner uses', async () => {
    const { ask, logIn } = start();
    await logIn(home);
    for (const source of elsewhere) await ask(source);
    assert.ok(await ask(home));
    assert.ok(!(await ask('203.0.113.1')));
  });
});
