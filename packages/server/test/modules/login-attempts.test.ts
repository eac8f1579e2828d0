import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rounds } from '@watchword/testkit';
import { defaultLoginLimits } from '../../src/modules/services/login-attempts.ts';
import {
  home,
  type LoginDependencies,
  loginDependencies,
  outcome,
  password,
} from '../support/login-dependencies.ts';

const { perAccountAndNetwork, perAccountAndSite, perNetwork, perSite, perAccount, networkKnownFor } =
  defaultLoginLimits;
const { free, firstWait, maxWait, forgetAfter } = perAccountAndNetwork;

function times<Value>(count: number, make: (index: number) => Value): Value[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** A different address for each number. */
const address = (index: number) => `198.51.${index >> 8}.${index & 0xff}`;

/** Tries a wrong password. Resolves with the seconds to wait, 0 when the password was checked. */
async function fail(deps: LoginDependencies, username = 'emma', source = home): Promise<number> {
  const step = await deps.logIn(username, 'wrong horse', source);
  assert.ok(step.type === 'form');
  const isLookedAt = outcome(step) === 'login.wrong 403';
  assert.equal(outcome(step), isLookedAt ? 'login.wrong 403' : 'login.wait 429');
  return isLookedAt ? 0 : (step.retryAfter ?? Number.NaN);
}

async function failUntilHeldUp(deps: LoginDependencies, username = 'emma', source = home): Promise<number> {
  for (;;) {
    const seconds = await fail(deps, username, source);
    if (seconds > 0) return seconds;
  }
}

for (const store of ['memory', 'SQLite'] as const) {
  describe(`guessing the password of one account, counted in ${store}`, () => {
    it('has longer and longer waits, and accepts the right password after a wait', async () => {
      await using deps = await loginDependencies({ store });
      const waited: number[] = [];
      for (let guess = 0; guess < rounds(20, 100); guess += 1) {
        const seconds = await fail(deps);
        if (seconds === 0) continue;
        waited.push(seconds);
        deps.clock.advance(seconds * 1000 - 1);
        assert.equal(await fail(deps), 1);
        deps.clock.advance(1);
        assert.equal(await fail(deps), 0);
      }
      const guessed = deps.hashed.length;
      assert.equal(guessed, free + waited.length);
      const doubled = waited.map((_, index) => Math.min(maxWait, firstWait * 2 ** index) / 1000);
      assert.deepEqual(waited, doubled);
      deps.clock.advance((await failUntilHeldUp(deps)) * 1000);
      assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    });

    it('counts attempts at the same time, and checks no more of them than of attempts in sequence', async () => {
      await using deps = await loginDependencies({ store });
      const seconds = await Promise.all(times(50, () => fail(deps)));
      assert.equal(deps.hashed.length, free);
      assert.deepEqual(
        seconds.filter((wait) => wait > 0),
        times(50 - free, () => firstWait / 1000),
      );
      assert.equal(outcome(await deps.logIn('emma', password)), 'login.wait 429');
      deps.clock.advance(firstWait);
      assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    });

    it('is forgotten after the right password', async () => {
      await using deps = await loginDependencies({ store });
      for (let round = 0; round < 5; round += 1) {
        for (let failure = 1; failure < free; failure += 1) assert.equal(await fail(deps), 0);
        assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
      }
    });
  });
}

describe('failed logins', () => {
  it('are forgotten after enough time without an attempt', async () => {
    await using deps = await loginDependencies();
    await failUntilHeldUp(deps);
    deps.clock.advance(firstWait + forgetAfter);
    for (let failure = 0; failure < free; failure += 1) assert.equal(await fail(deps), 0);
    assert.equal(await fail(deps), firstWait / 1000);
  });

  it('at an unknown user name wait as long as those at a known one', async () => {
    await using deps = await loginDependencies();
    const [known, unknown] = [[] as number[], [] as number[]];
    for (let guess = 0; guess < 20; guess += 1) {
      known.push(await fail(deps, 'emma'));
      unknown.push(await fail(deps, 'nobody', '192.0.2.77'));
      if (guess > 10) deps.clock.advance(firstWait);
    }
    assert.deepEqual(known, unknown);
  });

  it('of any number of strangers do not lock out the owner of the account', async () => {
    await using deps = await loginDependencies();
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    for (let stranger = 0; stranger < perAccount.burst; stranger += 1) {
      assert.equal(await fail(deps, 'emma', address(stranger)), 0);
    }
    assert.ok((await fail(deps, 'emma', address(1000))) > 0);
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    deps.clock.advance(networkKnownFor - 1);
    for (let stranger = 0; stranger <= perAccount.burst; stranger += 1) {
      await fail(deps, 'emma', address(stranger));
    }
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
  });

  it('of many strangers slow down attempts from new addresses, and never lock the account', async () => {
    await using deps = await loginDependencies();
    for (let stranger = 0; stranger < 1000; stranger += 1) await fail(deps, 'emma', address(stranger));
    const wait = await fail(deps, 'emma', home);
    assert.equal(wait, perAccount.interval / 1000);
    assert.equal(outcome(await deps.logIn('emma', password)), 'login.wait 429');
    deps.clock.advance(wait * 1000);
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
  });

  it('of many strangers slow down an address that is known from an earlier password only', async () => {
    await using deps = await loginDependencies();
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    await deps.accounts.update('emma', { passwordHash: await deps.hasher.hash(password) }, 1);
    for (let stranger = 0; stranger < perAccount.burst; stranger += 1) {
      await fail(deps, 'emma', address(stranger));
    }
    assert.equal(outcome(await deps.logIn('emma', password)), 'login.wait 429');
  });

  it('at one account are at most a hundred an hour from all addresses together', async () => {
    await using deps = await loginDependencies();
    for (let second = 0; second < 3600; second += 5) {
      await fail(deps, 'emma', address(second));
      deps.clock.advance(5000);
    }
    assert.ok(deps.hashed.length <= 100, `${deps.hashed.length} guesses`);
  });

  it('at many accounts from one address slow down that address, and no other', async () => {
    await using deps = await loginDependencies();
    for (let guess = 0; guess < perNetwork.burst; guess += 1) {
      assert.equal(await fail(deps, `user${guess}`), 0);
    }
    assert.equal(await fail(deps, 'another'), perNetwork.interval / 1000);
    assert.equal(outcome(await deps.logIn('emma', password)), 'login.wait 429');
    assert.equal(outcome(await deps.logIn('emma', password, address(1))), 'is emma');
    deps.clock.advance(perNetwork.interval);
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
  });

  it('of an address are not forgotten after a login to another account', async () => {
    await using deps = await loginDependencies();
    for (let guess = 0; guess < perNetwork.burst; guess += 1) {
      assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
      assert.equal(await fail(deps, `user${guess}`), 0);
    }
    assert.equal(await fail(deps, 'another'), perNetwork.interval / 1000);
  });

  it('do not include logins: an address can log in any number of times', async () => {
    await using deps = await loginDependencies();
    for (let login = 0; login < 3 * perNetwork.burst; login += 1) {
      assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    }
  });

  it('count for the whole /64 of an IPv6 address, and for the IPv4 address in a mapped one', async () => {
    await using deps = await loginDependencies();
    await failUntilHeldUp(deps, 'emma', '2001:db8:1:2::1');
    assert.ok((await fail(deps, 'emma', '2001:db8:1:2:ffff::9')) > 0);
    assert.equal(await fail(deps, 'emma', '2001:db8:1:3::1'), 0);
    await failUntilHeldUp(deps, 'emma', '::ffff:203.0.113.9');
    assert.ok((await fail(deps, 'emma', '203.0.113.9')) > 0);
  });

  it('from one /48 leave attempts at the account for all other networks', async () => {
    await using deps = await loginDependencies();
    const guesses = perAccount.burst + 1;
    for (let guess = 0; guess < guesses; guess += 1) await fail(deps, 'emma', `2001:db8:7:${guess}::1`);
    assert.equal(deps.hashed.length, perAccountAndSite.burst);
    assert.equal(await fail(deps, 'emma', '2001:db8:7:999::1'), perAccountAndSite.interval / 1000);
    assert.equal(outcome(await deps.logIn('emma', password, '2001:db8:8::1')), 'is emma');
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    deps.clock.advance(perAccountAndSite.interval);
    assert.equal(outcome(await deps.logIn('emma', password, '2001:db8:7:999::1')), 'is emma');
  });

  it('from one /48 do not slow down a network of it from which the user has logged in', async () => {
    await using deps = await loginDependencies();
    const known = '2001:db8:7:ffff::1';
    assert.equal(outcome(await deps.logIn('emma', password, known)), 'is emma');
    for (let guess = 0; guess <= perAccount.burst; guess += 1) {
      await fail(deps, 'emma', `2001:db8:7:${guess}::1`);
    }
    assert.equal(outcome(await deps.logIn('emma', password, known)), 'is emma');
  });

  it('from one /48 at many accounts slow down that /48, and no other', async () => {
    const burst = perAccountAndSite.burst + 1;
    await using deps = await loginDependencies({
      limits: { ...defaultLoginLimits, perSite: { ...perSite, burst } },
    });
    for (let guess = 0; guess < burst; guess += 1) {
      assert.equal(await fail(deps, `user${guess}`, `2001:db8:7:${guess}::1`), 0);
    }
    assert.equal(await fail(deps, 'another', '2001:db8:7:999::1'), Math.ceil(perSite.interval / 1000));
    assert.equal(await fail(deps, 'another', '2001:db8:8:999::1'), 0);
  });

  it('of a /48 are not forgotten after a login from it', async () => {
    await using deps = await loginDependencies();
    for (let guess = 0; guess < perAccountAndSite.burst; guess += 1) {
      assert.equal(outcome(await deps.logIn('emma', password, '2001:db8:7::1')), 'is emma');
      assert.equal(await fail(deps, 'emma', `2001:db8:7:${guess}::1`), 0);
    }
    assert.equal(await fail(deps, 'emma', '2001:db8:7:999::1'), perAccountAndSite.interval / 1000);
  });

  it('at an account that is disabled do not count after it is enabled again', async () => {
    await using deps = await loginDependencies();
    await deps.accounts.update('emma', { disabled: true }, 1);
    for (let stranger = 0; stranger <= perAccount.burst; stranger += 1) {
      await fail(deps, 'emma', address(stranger));
    }
    await failUntilHeldUp(deps, 'emma', address(0));
    for (const source of [home, address(0)]) {
      assert.equal(outcome(await deps.logIn('emma', password, source)), 'login.wait 429');
    }
    await deps.accounts.update('emma', { disabled: false }, 2);
    for (const source of [home, address(0)]) {
      assert.equal(outcome(await deps.logIn('emma', password, source)), 'is emma');
    }
  });

  it('at an account are counted on while it is disabled and changed, so that no answer shows it', async () => {
    await using deps = await loginDependencies();
    for (let stranger = 0; stranger < perAccount.burst; stranger += 1) {
      await fail(deps, 'emma', address(stranger));
    }
    for (const change of [{ groups: ['x'] }, { disabled: true }, { passwordHash: 'new' }]) {
      await deps.accounts.update('emma', change, 1);
      assert.equal(await fail(deps, 'emma', home), perAccount.interval / 1000);
    }
  });

  it('at a name without an account do not count for the account that gets it', async () => {
    await using deps = await loginDependencies();
    await failUntilHeldUp(deps, 'finn');
    await deps.accounts.create({ ...deps.emma, id: 'id of finn', username: 'finn' });
    assert.equal(outcome(await deps.logIn('finn', password)), 'is finn');
  });

  it('are counted under digests, so that the store has no text that a user typed', async () => {
    await using deps = await loginDependencies();
    const keys: string[] = [];
    const { change } = deps.attempts;
    deps.attempts.change = (given, decide) => {
      keys.push(...given);
      return change(given, decide);
    };
    await fail(deps, 'my password by mistake');
    await fail(deps, 'x'.repeat(10_240));
    await fail(deps, '\ud800');
    await fail(deps, '\ud801');
    assert.equal(new Set(keys).size, 13);
    for (const key of keys) {
      assert.match(key, /^[a-z]+ [\w-]{22}$/);
    }
  });

  it('do not wait for the old time of a clock that was set back', async () => {
    await using deps = await loginDependencies();
    deps.clock.advance(7_200_000);
    await failUntilHeldUp(deps);
    deps.clock.advance(-7_200_000);
    assert.equal(await fail(deps), firstWait / 1000);
    deps.clock.advance(firstWait);
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
  });
});
