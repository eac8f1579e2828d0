import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock, memoryStore, seededRandom } from '@watchword/testkit';
import { factorLimits } from '../../src/modules/services/factor-limits.ts';
import { addressGroup, addressSite } from '../../src/runtime/limits/address-group.ts';

const home = '192.0.2.1';
const emma = { name: 'totp emma', secret: 'totp emma 1' };
const finn = { name: 'totp finn', secret: 'totp finn 1' };
const day = 86_400_000;

function limits() {
  const clock = new FakeClock();
  const deps = { store: memoryStore(clock).loginAttempts, clock, random: seededRandom() };
  const digestKey = () => new Uint8Array(32);
  return { clock, ...factorLimits({ ...deps, digestKey, networkOf: addressGroup, siteOf: addressSite }) };
}

type Limits = ReturnType<typeof limits>;

/** A different network for each number. */
const network = (index: number) => `198.51.${(index >> 8) % 256}.${index % 256}`;

/** How many guesses are checked in a time, of somebody who tries as often as possible. */
async function guessesIn(time: number, { clock, codes }: Limits, source: (index: number) => string) {
  const end = clock.now() + time;
  let checked = 0;
  for (let index = 0; clock.now() < end; index += 1) {
    const wait = await codes.begin(emma, source(index));
    if (wait === 0) checked += 1;
    else clock.advance(wait);
  }
  return checked;
}

describe('guesses at the one-time codes of one person', () => {
  it('are about a hundred a day, from one network or from everywhere', async () => {
    for (const source of [() => home, network]) {
      const checked = await guessesIn(day, limits(), source);
      assert.ok(checked > 90 && checked < 120, `expected about a hundred, got ${checked}`);
    }
  });

  it('do not delay the owner at a network or device where a second factor was proved', async () => {
    const { clock, codes } = limits();
    await codes.succeed(emma, home);
    const device = codes.remember(emma);
    for (let index = 0; index < 60; index += 1) await codes.begin(emma, network(index));
    assert.ok((await codes.begin(emma, '203.0.113.9')) > 0);
    assert.equal(await codes.begin(emma, home), 0);
    assert.equal(await codes.begin(emma, '203.0.113.9', device), 0);
    clock.advance(31 * day);
    assert.equal(await codes.begin(emma, '203.0.113.9', device), 0);
  });

  it('delay nobody else, and no recovery code of the owner', async () => {
    const { codes, recoveryCodes } = limits();
    for (let index = 0; index < 60; index += 1) await codes.begin(emma, network(index));
    assert.equal(await codes.begin(finn, '203.0.113.9'), 0);
    for (let index = 0; index < 300; index += 1) await recoveryCodes.begin(emma, network(index));
    assert.equal(await recoveryCodes.begin(emma, '203.0.113.9'), 0);
  });

  it('at recovery codes are limited from one network', async () => {
    const { recoveryCodes } = limits();
    const waits = [];
    for (let index = 0; index < 7; index += 1) waits.push(await recoveryCodes.begin(emma, home));
    assert.deepEqual([waits.slice(0, 5), (waits[5] ?? 0) > 0], [[0, 0, 0, 0, 0], true]);
  });
});
