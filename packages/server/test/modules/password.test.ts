import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuthenticationStep } from '@watchword/protocol';
import { cheapCost } from '@watchword/server-testkit/servers/server';
import { authenticationContext } from '@watchword/testkit';
import { argon2Hasher } from '../../src/modules/authentication/password-hasher.ts';
import { defaultLoginLimits } from '../../src/modules/services/login-attempts.ts';
import {
  home,
  type LoginDependencies,
  loginDependencies,
  outcome,
  password,
} from '../support/login-dependencies.ts';

const now = Date.UTC(2026, 0, 2);

/** The page without the typed name. */
function shown(step: AuthenticationStep): unknown {
  assert.ok(step.type === 'form');
  return { ...step, fields: step.fields?.map((field) => ({ ...field, value: undefined })) };
}

async function disable({ accounts }: LoginDependencies): Promise<void> {
  await accounts.update('emma', { disabled: true }, now);
}

describe('logging in with a local account', () => {
  it('begins with the form', async () => {
    await using deps = await loginDependencies();
    const context = authenticationContext({ source: home });
    assert.deepEqual(await deps.module.begin(context), { type: 'form' });
    assert.equal(deps.module.name, 'password');
    assert.equal(deps.module.insecureBecause, undefined);
  });

  it('gives the principal exactly as the account is stored', async () => {
    await using deps = await loginDependencies();
    await deps.accounts.update('emma', { adminPrincipal: true, groups: ['b', 'a'], roles: [] }, now);
    const step = await deps.logIn('emma', password);
    assert.ok(step.type === 'authenticated' && step.identityProvider === undefined);
    assert.deepEqual(step.principal, {
      name: 'emma',
      roles: [],
      groups: ['b', 'a'],
      adminPrincipal: true,
      attributes: { DISPLAY_NAME: 'Emma Example' },
    });
  });

  it('compares the user name by code units, and the password as a person sees it', async () => {
    await using deps = await loginDependencies();
    for (const name of ['Emma', 'EMMA', 'em ma', 'ｅｍｍａ', 'emma\0', 'emm\u0430', 'emma\u200b']) {
      assert.equal(outcome(await deps.logIn(name, password)), 'login.wrong 403', JSON.stringify(name));
    }
    assert.equal(outcome(await deps.logIn('emma', 'ｃｏｒｒｅｃｔ horse battery')), 'is emma');
    assert.equal(outcome(await deps.logIn('emma', `${password} `)), 'login.wrong 403');
  });

  it('takes a user name typed with white space at its ends', async () => {
    await using deps = await loginDependencies();
    for (const name of ['emma ', ' emma', '\temma\u00a0 ']) {
      assert.equal(outcome(await deps.logIn(name, password)), 'is emma', JSON.stringify(name));
    }
  });

  it('distinguishes users whose names look alike', async () => {
    await using deps = await loginDependencies({ store: 'SQLite' });
    for (const username of ['Emma', 'ｅｍｍａ', 'emma\ufffd']) {
      await deps.accounts.create({ ...deps.emma, id: `id of ${username}`, username, displayName: username });
      const step = await deps.logIn(username, password);
      assert.equal(outcome(step), `is ${username}`);
      assert.ok(step.type === 'authenticated' && step.principal.attributes.DISPLAY_NAME === username);
    }
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    // A database stores U+FFFD in place of a lone surrogate.
    assert.equal(outcome(await deps.logIn('emma\ud800', password)), 'login.wrong 403');
  });
});

describe('a login that fails', () => {
  const failures: [what: string, username: string, password: string, before?: typeof disable][] = [
    ['an unknown username', 'nobody', password],
    ['a wrong password', 'emma', 'wrong horse'],
    ['an empty password', 'emma', ''],
    ['a disabled account', 'emma', password, disable],
    ['an empty username', '', password],
    ['a username with NUL', 'emma\0', password],
    ['a username with a lone surrogate', 'emma\ud800', password],
    ['a username of 10 KB', 'e'.repeat(10_240), password],
    ['a password of 64 KB', 'emma', 'x'.repeat(65_536)],
  ];
  for (const [what, username, given, before] of failures) {
    it(`for ${what} shows the same form after the same hashing as any other`, async () => {
      await using deps = await loginDependencies();
      await before?.(deps);
      const step = await deps.logIn(username, given);
      assert.equal(outcome(step), 'login.wrong 403');
      assert.equal(deps.hashed.length, 1);
      assert.ok(!deps.hasher.isOutdated(deps.hashed[0] ?? ''));
      await using other = await loginDependencies();
      assert.deepEqual(shown(step), shown(await other.logIn('unknown', 'whatever')));
    });
  }

  it('reads as much of the store for a name that no account has, and for a disabled account', async () => {
    await using deps = await loginDependencies();
    const readsOf = async (username: string) => {
      deps.reads.length = 0;
      assert.equal(outcome(await deps.logIn(username, 'wrong horse')), 'login.wrong 403');
      return [...deps.reads];
    };
    const reads = await readsOf('emma');
    assert.deepEqual(await readsOf('nobody'), reads);
    await disable(deps);
    assert.deepEqual(await readsOf('emma'), reads);
  });

  it('keeps the username in the form, when it can be one, and never the password', async () => {
    await using deps = await loginDependencies();
    const values = async (username: string) => {
      const step = await deps.logIn(username, 'wrong horse');
      assert.ok(step.type === 'form' && !JSON.stringify(step).includes('wrong horse'));
      return step.fields?.map(({ name, value }) => [name, value]);
    };
    for (const [typed, kept] of [
      ['emma', 'emma'],
      ['nobody', 'nobody'],
      ['\0', ''],
      ['x'.repeat(300), ''],
    ] as const) {
      assert.deepEqual(await values(typed), [
        ['username', kept],
        ['password', undefined],
      ]);
    }
  });

  it('uses the first value of a repeated field, and an empty one for an absent field', async () => {
    await using deps = await loginDependencies();
    const context = authenticationContext({ source: home });
    const twice = new Map([
      ['username', ['emma', 'other']],
      ['password', [password, 'x']],
    ]);
    assert.equal(outcome(await deps.module.resume(context, twice)), 'is emma');
    assert.equal(outcome(await deps.module.resume(context, new Map())), 'login.wrong 403');
    assert.equal(deps.hashed.length, 2);
  });
});

describe('an account that changes while its password is checked', () => {
  /** Changes the account once, when the next hash is computed. */
  function meanwhile(deps: LoginDependencies, change: () => Promise<unknown>): LoginDependencies['logIn'] {
    const { accounts } = deps;
    const find = accounts.find;
    let lookups = 0;
    accounts.find = async (username) => {
      lookups += 1;
      if (lookups === 2) await change();
      return find(username);
    };
    return deps.logIn;
  }

  it('to disabled rejects the login', async () => {
    await using deps = await loginDependencies();
    const logIn = meanwhile(deps, () => disable(deps));
    assert.equal(outcome(await logIn('emma', password)), 'login.wrong 403');
  });

  it('to another password rejects the old one', async () => {
    await using deps = await loginDependencies();
    const passwordHash = await deps.hasher.hash('another password');
    const logIn = meanwhile(deps, () => deps.accounts.update('emma', { passwordHash }, now));
    assert.equal(outcome(await logIn('emma', password)), 'login.wrong 403');
  });

  it('to a stronger hash accepts the same password', async () => {
    await using deps = await loginDependencies();
    const { passwordHash = '' } = deps.emma;
    const stronger = await deps.hasher.hash(password);
    const logIn = meanwhile(deps, () => deps.accounts.replaceHash('emma', passwordHash, stronger));
    assert.equal(outcome(await logIn('emma', password)), 'is emma');
  });

  it('again and again does not keep the login waiting forever', async () => {
    await using deps = await loginDependencies();
    const find = deps.accounts.find;
    deps.accounts.find = async (username) => {
      const account = await find(username);
      return account && { ...account, passwordHash: await deps.hasher.hash(password) };
    };
    assert.equal(outcome(await deps.logIn('emma', password)), 'login.wrong 403');
  });
});

describe('an account that changes between its login and the login session', () => {
  const holds = async (change: (deps: LoginDependencies) => Promise<unknown>) => {
    await using deps = await loginDependencies();
    const step = await deps.logIn('emma', password);
    await change(deps);
    assert.ok(step.type === 'authenticated');
    return step.stillHolds?.();
  };
  const rehashed = (deps: LoginDependencies, given: string) => deps.hasher.hash(given);

  it('ends the login when it is disabled, or gets another password or another principal', async () => {
    assert.equal(await holds(disable), false);
    for (const change of [{ adminPrincipal: true }, { groups: [] }, { roles: ['x'] }, { displayName: 'X' }]) {
      assert.equal(await holds((deps) => deps.accounts.update('emma', change, now)), false);
    }
    const another = async (deps: LoginDependencies) =>
      deps.accounts.update('emma', { passwordHash: await rehashed(deps, 'another password') }, now);
    assert.equal(await holds(another), false);
  });

  it('keeps the login when nothing changed, or only the hash of the same password', async () => {
    assert.ok(await holds(async () => {}));
    const strengthened = async (deps: LoginDependencies) =>
      deps.accounts.replaceHash('emma', deps.emma.passwordHash ?? '', await rehashed(deps, password));
    assert.ok(await holds(strengthened));
  });
});

describe('a hash that was made at another cost', () => {
  it('is replaced at the next login, and the account stays as it is', async () => {
    await using deps = await loginDependencies();
    const old = await argon2Hasher({
      random: { fill: (target) => void target.fill(7) },
      concurrency: 1,
      cost: { ...cheapCost, memory: 16 },
    }).hash(password);
    await deps.accounts.update('emma', { passwordHash: old }, now);
    assert.equal(outcome(await deps.logIn('emma', 'wrong horse')), 'login.wrong 403');
    assert.equal((await deps.accounts.find('emma'))?.passwordHash, old);
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    const account = await deps.accounts.find('emma');
    assert.ok(account?.passwordHash !== undefined && !deps.hasher.isOutdated(account.passwordHash));
    assert.deepEqual({ ...account, passwordHash: '' }, { ...deps.emma, passwordHash: '', revision: 2 });
    assert.equal(outcome(await deps.logIn('emma', password)), 'is emma');
    assert.equal((await deps.accounts.find('emma'))?.passwordHash, account.passwordHash);
  });
});

describe('more logins than can be hashed', () => {
  const hashing = { concurrency: 1, maxWaiting: 1 };

  it('are asked to try again soon', async () => {
    await using deps = await loginDependencies({ hashing });
    const steps = await Promise.all(Array.from({ length: 4 }, () => deps.logIn('emma', password)));
    assert.deepEqual(steps.map(outcome).toSorted(), [
      'is emma',
      'is emma',
      'login.busy 503',
      'login.busy 503',
    ]);
    for (const step of steps) {
      if (step.type === 'form') assert.ok(step.retryAfter !== undefined && step.retryAfter >= 1);
    }
  });

  it('are asked to do so before an attempt is counted, when the queue is full already', async () => {
    await using deps = await loginDependencies({ hashing });
    const hashes = [deps.hasher.hash(password), deps.hasher.hash(password)];
    deps.attempts.change = () => Promise.reject(new Error('counted'));
    assert.equal(outcome(await deps.logIn('emma', password)), 'login.busy 503');
    await Promise.all(hashes);
  });

  it('leave a known device its place, beside an address whose guesses fill the queue', async () => {
    await using deps = await loginDependencies({ hashing: { concurrency: 1, maxWaiting: 3 } });
    const known = await deps.logIn('emma', password, home);
    assert.ok(known.type === 'authenticated');
    const guesses = ['203.0.113.1', '203.0.113.2', '203.0.113.3', '203.0.113.4'];
    const guessed = guesses.map((address) => deps.logIn('emma', 'wrong horse', address));
    const filled = Promise.all(guessed);
    const own = deps.logIn('emma', password, '203.0.113.1', known.device);
    assert.equal(outcome(await own), 'is emma');
    assert.equal((await filled).filter((step) => outcome(step) === 'login.busy 503').length, 1);
  });

  it('leave other addresses a place, beside one whose guesses fill the queue', async () => {
    await using deps = await loginDependencies({ hashing: { concurrency: 1, maxWaiting: 4 } });
    const guesses = Array.from({ length: 40 }, (_, guess) =>
      deps.logIn(`user${guess}`, password, '203.0.113.1'),
    );
    const own = await deps.logIn('emma', password, home);
    assert.equal(outcome(own), 'is emma');
    const outcomes = (await Promise.all(guesses)).map(outcome);
    assert.ok(outcomes.includes('login.busy 503') && !outcomes.includes('is emma'));
  });

  it('do not count as failures', async () => {
    await using deps = await loginDependencies({ hashing: { concurrency: 1, maxWaiting: 0 } });
    for (let failures = 1; failures < defaultLoginLimits.perAccountAndNetwork.free; failures += 1) {
      const steps = await Promise.all([1, 2].map(() => deps.logIn('emma', 'wrong horse')));
      assert.deepEqual(steps.map(outcome).toSorted(), ['login.busy 503', 'login.wrong 403']);
    }
    assert.equal(outcome(await deps.logIn('emma', 'wrong horse')), 'login.wrong 403');
    assert.equal(outcome(await deps.logIn('emma', 'wrong horse')), 'login.wait 429');
  });
});
