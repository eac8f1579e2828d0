import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { seededRandom } from '@watchword/testkit';
import { QueueFullError } from '../../src/modules/authentication/bounded-queue.ts';
import { argon2Hasher, currentCost } from '../../src/modules/authentication/password-hasher.ts';
import { passwordsAtATime } from '../../src/system.ts';

const cheap = { memory: 8, passes: 1, parallelism: 1 };
const cheapHasher = (options = {}) =>
  argon2Hasher({ random: seededRandom(), concurrency: 2, cost: cheap, ...options });

describe('a password hash', () => {
  it('is argon2id in PHC string form, at the recommended cost or more', async () => {
    const hash = await argon2Hasher({ random: seededRandom(), concurrency: 1 }).hash('correct horse battery');
    assert.match(hash, /^\$argon2id\$v=19\$m=\d+,t=\d+,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    assert.ok(currentCost.memory >= 19_456 && currentCost.passes >= 2);
  });

  it('equals the hash of the reference implementation', async () => {
    // From the tests of phc-winner-argon2: password, somesalt, 2 passes, 256 KiB.
    const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
    assert.ok(await cheapHasher().matches('password', reference));
    assert.ok(!(await cheapHasher().matches('Password', reference)));
  });

  it('differs each time, and matches its password only', async () => {
    const hasher = cheapHasher();
    const [first, second] = [
      await hasher.hash('correct horse battery'),
      await hasher.hash('correct horse battery'),
    ];
    assert.notEqual(first, second);
    for (const hash of [first, second]) assert.ok(await hasher.matches('correct horse battery', hash));
    for (const wrong of [
      '',
      'correct hors',
      'correct horse battery ',
      'Correct horse',
      'correct horse battery\0',
    ]) {
      assert.equal(await hasher.matches(wrong, first), false, JSON.stringify(wrong));
    }
  });

  it('is the same for one password in different code points, and never for a lone surrogate', async () => {
    const hasher = cheapHasher();
    const hash = await hasher.hash('café ｐａｓｓ');
    assert.ok(await hasher.matches('cafe\u0301 pass', hash));
    const replaced = await hasher.hash('12345678\ufffd');
    assert.ok(await hasher.matches('12345678\ufffd', replaced));
    assert.ok(!(await hasher.matches('12345678\ud800', replaced)));
  });

  it('covers the last character of a long password', async () => {
    const hasher = cheapHasher();
    const long = 'x'.repeat(1023);
    const hash = await hasher.hash(`${long}a`);
    assert.ok(await hasher.matches(`${long}a`, hash));
    assert.ok(!(await hasher.matches(`${long}b`, hash)));
  });

  it('that no password has matches nothing, and costs the same as a new one', async () => {
    const hasher = cheapHasher();
    assert.ok(!hasher.isOutdated(hasher.unmatched));
    for (const password of ['', 'x', '\0'.repeat(32)]) {
      assert.ok(!(await hasher.matches(password, hasher.unmatched)));
    }
  });

  it('is outdated when it was made at another cost, and still matches', async () => {
    const hash = await cheapHasher().hash('correct horse battery');
    assert.ok(!cheapHasher().isOutdated(hash));
    for (const cost of [
      { ...cheap, memory: 16 },
      { ...cheap, passes: 2 },
      { ...cheap, memory: 16, parallelism: 2 },
    ]) {
      const today = cheapHasher({ cost });
      assert.ok(today.isOutdated(hash));
      assert.ok(await today.matches('correct horse battery', hash));
    }
    assert.ok(cheapHasher().isOutdated(hash.slice(0, -8)));
  });

  it('of another kind is an error whose message does not contain the hash', async () => {
    for (const hash of [
      '',
      'secret',
      '$2b$10$secretsecretsecret',
      '$argon2x$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$c2VjcmV0c2VjcmV0',
      '$argon2id$v=19$m=8,t=1,p=1$c2FsdHNhbHQ$',
    ]) {
      await assert.rejects(cheapHasher().matches('x', hash), (error) => {
        assert.ok(error instanceof Error && error.name === 'Error');
        assert.match(error.message, /no form that this server stores/);
        assert.doesNotMatch(error.message, /secret|c2Vjc/);
        return true;
      });
    }
  });
});

describe('hashing', () => {
  it('leaves most of the cores for other work', () => {
    const alone = [1, 2, 3, 4, 64].map((cores) => passwordsAtATime(1, cores));
    assert.deepEqual(alone, [1, 1, 1, 2, 2]);
    assert.ok(passwordsAtATime(1) >= 1);
  });

  it('is rejected while the queue is full, and works again afterwards', async () => {
    const hasher = cheapHasher({ concurrency: 1, maxWaiting: 2 });
    const outcomes = Promise.allSettled(
      Array.from({ length: 5 }, () => hasher.hash('correct horse battery')),
    );
    assert.ok(hasher.isBusy);
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 2);
    for (const outcome of refused) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof QueueFullError);
    }
    assert.ok(!hasher.isBusy);
    await hasher.hash('correct horse battery');
  });
});
