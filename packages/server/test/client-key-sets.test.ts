import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noKeys } from '@watchword/protocol';
import { type FetchKeySet, KeySetsAtUrls } from '../src/runtime/client-key-sets.ts';

type Fetched = Awaited<ReturnType<FetchKeySet>>;

const owner = { clientId: 'bank', jwksUri: 'https://bank.example/jwks.json' };
const problem = { problem: 'answered with status 500; expected 200' };
const found = (kid: string, seconds = 300): Fetched => ({ keySet: { keys: [{ kty: 'EC', kid }] }, seconds });
const minute = 60_000;

/** Key sets whose URL gives the answers in turn, the last one for ever, with the count of requests and a clock. */
function keySets(...answers: readonly Fetched[]) {
  const clock = { now: 1000 };
  const asked = { times: 0 };
  const sets = new KeySetsAtUrls(
    async () => {
      const answer = answers[Math.min(asked.times, answers.length - 1)];
      asked.times += 1;
      return answer ?? problem;
    },
    () => clock.now,
  );
  const kidOf = async (reading: ReturnType<KeySetsAtUrls['readAgain']>) => {
    const read = await reading;
    return read !== undefined && 'keys' in read ? read.keys[0]?.kid : read;
  };
  return {
    clock,
    asked,
    read: () => kidOf(sets.read(owner)),
    again: () => kidOf(sets.readAgain(owner)),
    sets,
  };
}

describe('the keys of a client at a URL', () => {
  it('are requested once for all who wait, and again when their time is over', async () => {
    const { asked, clock, read } = keySets(found('a', 120), found('b'));
    assert.deepEqual(new Set(await Promise.all(Array.from({ length: 100 }, read))), new Set(['a']));
    clock.now += 2 * minute - 1;
    assert.equal(await read(), 'a');
    assert.equal(asked.times, 1);
    clock.now += 1;
    assert.equal(await read(), 'b');
    assert.equal(asked.times, 2);
  });

  it('are requested for an unknown key once a minute at most', async () => {
    const { asked, clock, read, again } = keySets(found('a'), found('b'), found('c'));
    await read();
    clock.now += minute - 1;
    assert.equal(await again(), undefined);
    clock.now += 1;
    const answers = await Promise.all([again(), again(), again()]);
    assert.deepEqual(answers, ['b', undefined, undefined]);
    assert.equal(await read(), 'b');
    assert.equal(asked.times, 2);
  });

  it('stay in use for a day while the URL is down, which is asked once a minute at most', async () => {
    const { asked, clock, read, again } = keySets(found('a', 60), problem);
    await read();
    for (let hour = 0; hour < 23; hour += 1) {
      clock.now += 60 * minute;
      assert.deepEqual(await Promise.all([read(), read(), again()]), ['a', 'a', undefined]);
    }
    assert.equal(asked.times, 24);
    clock.now += 60 * minute;
    assert.deepEqual(await read(), problem);
    clock.now += minute - 1;
    assert.deepEqual(await read(), problem);
    assert.equal(asked.times, 25);
  });

  it('of hundreds of URLs of one host are requested at a limited pace', async () => {
    const { asked, clock, sets } = keySets({ keySet: noKeys, seconds: 300 });
    const all = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        sets.read({ ...owner, jwksUri: `${owner.jwksUri}?${index}` }),
      ),
    );
    assert.equal(asked.times, 50);
    assert.equal(all.filter((read) => 'problem' in read).length, 250);
    clock.now += 1000;
    assert.deepEqual(await sets.read({ ...owner, jwksUri: `${owner.jwksUri}?299` }), noKeys);
  });
});
