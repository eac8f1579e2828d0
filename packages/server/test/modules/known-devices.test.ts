import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Account } from '@watchword/protocol';
import { testLoginAttempts } from '@watchword/server-testkit/people/login-attempts';
import { cheapCost } from '@watchword/server-testkit/servers/server';
import { FakeClock, memoryStore, seededRandom } from '@watchword/testkit';
import { argon2Hasher } from '../../src/modules/authentication/password-hasher.ts';
import { knownDevices } from '../../src/modules/services/known-devices.ts';
import { defaultLoginLimits } from '../../src/modules/services/login-attempts.ts';
import {
  home,
  type LoginDependencies,
  loginDependencies,
  outcome,
  password,
} from '../support/login-dependencies.ts';

const { perAccountAndNetwork, perNetwork, perAccount, deviceKnownFor } = defaultLoginLimits;
const { free, firstWait } = perAccountAndNetwork;
const wrong = 'wrong horse';
const elsewhere = '203.0.113.200';

/** A different address for each number. */
const address = (index: number) => `198.51.${index >> 8}.${index & 0xff}`;

/** Logs in. Resolves with the text by which the device is known then. */
async function logIn(
  { logIn }: LoginDependencies,
  device?: string,
  username = 'emma',
  given = password,
): Promise<string> {
  const step = await logIn(username, given, elsewhere, device);
  assert.ok(step.type === 'authenticated' && step.device !== undefined);
  return step.device;
}

/** Wrong guesses at made-up names from one address, until it has to wait. */
async function holdUpAddress({ logIn }: LoginDependencies, source = home): Promise<void> {
  for (let guess = 0; guess < perNetwork.burst; guess += 1) await logIn(`user${guess}`, wrong, source);
  assert.equal(outcome(await logIn('another', wrong, source)), 'login.wait 429');
}

async function addFinn({ accounts, emma }: LoginDependencies): Promise<void> {
  await accounts.create({ ...emma, id: 'id of finn', username: 'finn' });
}

describe('a device on which the user has logged in before', () => {
  it('logs in while others fail at made-up names from its network address', async () => {
    await using deps = await loginDependencies();
    const device = await logIn(deps);
    await holdUpAddress(deps);
    assert.equal(outcome(await deps.logIn('emma', password, home)), 'login.wait 429');
    assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'is emma');
  });

  it('logs in while others fail at the account from everywhere', async () => {
    await using deps = await loginDependencies();
    const device = await logIn(deps);
    for (let stranger = 0; stranger <= perAccount.burst; stranger += 1) {
      await deps.logIn('emma', wrong, address(stranger));
    }
    assert.equal(outcome(await deps.logIn('emma', password, home)), 'login.wait 429');
    assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'is emma');
  });

  it('logs in while others fail at the account from its network address', async () => {
    await using deps = await loginDependencies();
    const device = await logIn(deps);
    for (let guess = 0; guess <= free; guess += 1) await deps.logIn('emma', wrong, home);
    assert.equal(outcome(await deps.logIn('emma', password, home)), 'login.wait 429');
    assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'is emma');
  });

  for (const store of ['memory', 'SQLite'] as const) {
    it(`has waits of its own, from all addresses together, counted in ${store}`, async () => {
      await using deps = await loginDependencies({ store });
      const device = await logIn(deps);
      const before = deps.hashed.length;
      const guesses = Array.from({ length: 50 }, (_, guess) =>
        deps.logIn('emma', wrong, address(guess), device),
      );
      const outcomes = (await Promise.all(guesses)).map(outcome);
      assert.equal(deps.hashed.length - before, free);
      assert.equal(outcomes.filter((each) => each === 'login.wait 429').length, 50 - free);
      assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'login.wait 429');
      // Guesses with a copied text slow down that text alone.
      assert.equal(outcome(await deps.logIn('emma', password, home)), 'is emma');
      deps.clock.advance(firstWait);
      assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'is emma');
    });
  }

  it('has another text after each login, so that guesses with a copy do not slow it down', async () => {
    await using deps = await loginDependencies();
    const copied = await logIn(deps);
    const device = await logIn(deps, copied);
    for (let guess = 0; guess <= free; guess += 1) await deps.logIn('emma', wrong, home, copied);
    assert.equal(outcome(await deps.logIn('emma', wrong, home, copied)), 'login.wait 429');
    assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'is emma');
  });

  it('is known for that account only', async () => {
    await using deps = await loginDependencies();
    await addFinn(deps);
    const device = await logIn(deps);
    await holdUpAddress(deps);
    for (const name of ['finn', 'nobody', 'Emma']) {
      assert.equal(outcome(await deps.logIn(name, password, home, device)), 'login.wait 429', name);
    }
  });

  it('is known for several accounts, the last eight, with a text of bounded size', async () => {
    await using deps = await loginDependencies();
    let device = await logIn(deps);
    const names = Array.from({ length: 8 }, (_, index) => `user-${index}`);
    for (const username of names) {
      await deps.accounts.create({ ...deps.emma, id: `id of ${username}`, username });
      device = await logIn(deps, device, username);
    }
    device = await logIn(deps, device, 'user-3');
    assert.ok(device.length < 500, `${device.length} characters`);
    assert.doesNotMatch(device, /emma|user/);
    await holdUpAddress(deps);
    for (const username of names) {
      assert.equal(outcome(await deps.logIn(username, password, home, device)), `is ${username}`);
    }
    assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'login.wait 429');
  });

  const changes: Readonly<Record<string, (deps: LoginDependencies) => Promise<unknown>>> = {
    'a new password, also the same one again': ({ accounts, hasher }) =>
      hasher.hash(password).then((passwordHash) => accounts.update('emma', { passwordHash }, 1)),
    'a new password of the user': ({ accounts, emma, hasher }) =>
      hasher.hash(password).then((hash) => accounts.replaceHash('emma', emma.passwordHash ?? '', hash)),
    'the deletion of the account, of which another has the name': async ({ accounts, emma }) => {
      await accounts.delete('emma', 1);
      await accounts.create({ ...emma, id: 'another' });
    },
    'a year without a login': async ({ clock }) => clock.advance(deviceKnownFor),
  };
  for (const [what, change] of Object.entries(changes)) {
    it(`is no longer known after ${what}`, async () => {
      await using deps = await loginDependencies();
      const device = await logIn(deps);
      await change(deps);
      await holdUpAddress(deps);
      assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'login.wait 429');
    });
  }

  it('is still known after any other change of the account, and for almost a year', async () => {
    await using deps = await loginDependencies();
    const device = await logIn(deps);
    const changes: Partial<Account>[] = [{ groups: ['x'] }, { disabled: true }, { disabled: false }];
    for (const change of changes) await deps.accounts.update('emma', change, 1);
    deps.clock.advance(deviceKnownFor - 1);
    await holdUpAddress(deps);
    assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'is emma');
  });

  it('is known after the login in which the hash of the password gets another cost', async () => {
    await using deps = await loginDependencies();
    const { hash } = argon2Hasher({
      random: seededRandom(),
      concurrency: 1,
      cost: { ...cheapCost, passes: cheapCost.passes + 1 },
    });
    await deps.accounts.update('emma', { passwordHash: await hash(password) }, 1);
    const device = await logIn(deps);
    await holdUpAddress(deps);
    assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'is emma');
  });

  it('gets a text from a login only, and waits where its account is disabled', async () => {
    await using deps = await loginDependencies();
    const device = await logIn(deps);
    await deps.accounts.update('emma', { disabled: true }, 1);
    for (let guess = 0; guess < free; guess += 1) {
      const step = await deps.logIn('emma', password, home, device);
      assert.equal(outcome(step), 'login.wrong 403');
      assert.ok(!('device' in step));
    }
    assert.equal(outcome(await deps.logIn('emma', password, home, device)), 'login.wait 429');
  });
});

describe('the text of a known device', () => {
  const alice = ['password', 'secret 1'];
  const devicesWith = (key: number, knownFor = 1000) =>
    knownDevices({ random: seededRandom(), digestKey: () => Buffer.alloc(32, key), knownFor });

  it('is of no device after any change, nor with the key of another database', () => {
    const devices = devicesWith(1);
    const text = devices.add(undefined, alice, 500);
    assert.match(devices.find(text, alice, 600) ?? '', /^[\w-]{22}$/);
    for (const [index, letter] of [...text].entries()) {
      const other = letter === 'A' ? 'B' : 'A';
      const changed = `${text.slice(0, index)}${other}${text.slice(index + 1)}`;
      assert.equal(devices.find(changed, alice, 600), undefined, changed);
    }
    assert.equal(devicesWith(2).find(text, alice, 600), undefined);
    for (const account of [
      ['password', 'secret'],
      ['passwordsecret 1', ''],
      ['saml', 'secret 1'],
    ]) {
      assert.equal(devices.find(text, account, 600), undefined);
    }
    for (const garbage of ['', '~', text.slice(1), ` ${text}`, `${text}\n`, 'x'.repeat(5000), 'é']) {
      assert.equal(devices.find(garbage, alice, 600), undefined);
      assert.match(devices.add(garbage, alice, 600), /^[\w.~-]{1,1000}$/);
    }
  });

  it('is found among others, and ends after its time even if it is kept', () => {
    const devices = devicesWith(1);
    const text = devices.add(devices.add(undefined, alice, 0), ['password', 'of bob'], 900);
    assert.notEqual(devices.find(text, alice, 999), undefined);
    assert.equal(devices.find(text, alice, 1000), undefined);
    assert.notEqual(devices.find(text, ['password', 'of bob'], 1000), undefined);
    // The clock was set back.
    assert.notEqual(devices.find(text, alice, -5), undefined);
  });

  it('works for the accounts of any module, and ends with the secret that the module names', async () => {
    const { loginAttempts: store } = memoryStore();
    const attemptsOf = testLoginAttempts({ store, clock: new FakeClock() });
    const [pin, other] = [attemptsOf('pin'), attemptsOf('other')];
    const waits = async (attempts: typeof pin, account: Parameters<typeof pin.begin>[0], device: string) => {
      const wait = await attempts.begin(account, home, device);
      if (wait === 0) await attempts.withdraw(account, home, device);
      return wait > 0;
    };
    const device = pin.remember('emma', pin.remember({ name: 'nora', secret: 'of May' }));
    for (let guess = 0; guess < perNetwork.burst; guess += 1) await other.begin(`user${guess}`, home);
    assert.ok(!(await waits(pin, 'emma', device)));
    assert.ok(!(await waits(pin, { name: 'nora', secret: 'of May' }, device)));
    assert.ok(await waits(pin, { name: 'nora', secret: 'of June' }, device));
    assert.ok(await waits(other, 'emma', device));
  });

  it('has the turn of its account, so that who logs in again and again keeps nobody else waiting', () => {
    const attempts = testLoginAttempts({ store: memoryStore().loginAttempts, clock: new FakeClock() })('pin');
    const turnAt = (account: string, device: string) => attempts.turn(account, home, device);
    const [first, second, other] = ['emma', 'emma', 'nora'].map((name) =>
      turnAt(name, attempts.remember(name)),
    );
    assert.ok(first?.isKnownDevice);
    assert.deepEqual(second, first);
    assert.notEqual(other?.of, first?.of);
    assert.deepEqual(turnAt('emma', attempts.remember('nora')), attempts.turn('olga', home));
  });
});
