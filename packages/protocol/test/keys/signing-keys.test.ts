import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildSigningKey, memoryStore } from '@watchword/testkit';
import {
  canSign,
  compromise,
  longestJwtLifetime,
  maintenance,
  missingKeys,
  promotion,
  publicationLead,
  publishedUntil,
  rejectedUntil,
  type SigningKey,
  type SigningKeyChanges,
  signingKeyOf,
  signingKeyState,
  storeSigningKeys,
  succession,
  verifiesUntil,
  withdrawal,
} from '../../src/index.ts';

const now = Date.UTC(2026, 5, 1);
const day = 86_400_000;
const sessionLifetime = 7 * 86_400;
const rules = { algorithms: ['ES256'], rotationInterval: 90 * 86_400, sessionLifetime } as const;

const key = (kid: string, given: Partial<SigningKey> = {}) =>
  buildSigningKey(kid, { publishedAt: now - day, signsFrom: now - day, ...given });
const made = ({ kid, algorithm, publicKey, privateKey }: SigningKey) => ({
  kid,
  algorithm,
  publicKey,
  privateKey,
});

/** The keys after the changes. */
function after(keys: readonly SigningKey[], { inserted, updated = [], removed = [] }: SigningKeyChanges) {
  const changed = new Map([...keys, ...updated].map((each) => [each.kid, each]));
  if (inserted !== undefined) changed.set(inserted.kid, inserted);
  for (const { kid } of removed) changed.delete(kid);
  return [...changed.values()];
}

const states = (keys: readonly SigningKey[], at: number) =>
  Object.fromEntries(keys.map((each) => [each.kid, signingKeyState(each, at)]));
const signer = (keys: readonly SigningKey[], at: number) => signingKeyOf(keys, 'ES256', at)?.kid;

describe('signing keys', () => {
  it('sign one at a time: the one that began last, of two that began together the one with the later name', () => {
    const keys = [
      key('b', { signsFrom: now - 2 }),
      key('a', { signsFrom: now - 1 }),
      key('c', { signsFrom: now - 3 }),
    ];
    for (const order of [keys, keys.toReversed()]) assert.equal(signer(order, now), 'a');
    const together = keys.map((each) => ({ ...each, signsFrom: now - 1 }));
    for (const order of [together, together.toReversed()]) assert.equal(signer(order, now), 'c');
  });

  it('sign at once if there is no other key of the algorithm', () => {
    const keys = after([key('rsa', { algorithm: 'RS256' })], succession([], made(key('a')), now));
    assert.equal(signer(keys, now), 'a');
    assert.equal(signingKeyOf(keys, 'RS256', now)?.kid, 'rsa');
  });

  it('are published before they sign for as long as two caches one behind the other can be outdated', () => {
    const keys = after([key('a')], succession([key('a')], made(key('b')), now));
    const start = now + publicationLead;
    assert.equal(publicationLead, 2 * 300_000);
    assert.deepEqual(states(keys, start - 1), { a: 'signing', b: 'published' });
    assert.deepEqual(states(keys, start), { a: 'retiring', b: 'signing' });
    assert.deepEqual([signer(keys, start - 1), signer(keys, start)], ['a', 'b']);
  });

  it('stay published until the last token that they signed has expired, also at a clock that is behind', () => {
    const retired = key('a', { retiredAt: now });
    const until = publishedUntil(retired);
    assert.ok(until > now + longestJwtLifetime * 1000 + 2 * 2000);
    assert.deepEqual(states([retired], until - 1), { a: 'retiring' });
    assert.deepEqual(states([retired], until), { a: 'retired' });
  });

  it('verify hints for the lifetime of a session after they have retired, or as long as they are published', () => {
    const retired = key('a', { retiredAt: now });
    assert.equal(verifiesUntil(retired, sessionLifetime), now + 7 * day);
    assert.equal(verifiesUntil(retired, 60), publishedUntil(retired));
    assert.equal(verifiesUntil(key('a'), 60), Number.POSITIVE_INFINITY);
  });

  it('sign from now if they are promoted, and their predecessor ends', () => {
    const before = after([key('a')], succession([key('a')], made(key('b')), now));
    const [, b] = before;
    const keys = after(before, promotion(before, b as SigningKey, now + 1));
    assert.deepEqual(states(keys, now + 1), { a: 'retiring', b: 'signing' });
  });

  it('follow their predecessor no more when they are withdrawn before they sign', () => {
    const before = after([key('a')], succession([key('a')], made(key('b')), now));
    const keys = after(before, withdrawal(before, before[1] as SigningKey, now + 1));
    assert.deepEqual(states(keys, now + 2 * publicationLead), { a: 'signing', b: 'retiring' });
  });

  it('sign while they are to begin later, if no other key can', () => {
    assert.equal(signer([key('a', { signsFrom: now + 5 }), key('b', { signsFrom: now + 9 })], now), 'a');
  });

  it('never sign when their private half is erased', () => {
    assert.equal(signer([key('a', { privateKey: undefined })], now), undefined);
  });
});

describe('the key that signs', () => {
  it('is the one that began last, and of equal ones that with the greater kid', () => {
    const keys = [key('a'), key('b', { signsFrom: now - 5 }), key('c', { signsFrom: now + 5 })];
    assert.equal(signer(keys, now), 'b');
    assert.equal(signer([...keys, key('d', { signsFrom: now })], now), 'd');
    assert.equal(signer([key('x'), key('z'), key('y')], now), 'z');
  });

  it('is none that is retired, compromised or of another algorithm', () => {
    assert.equal(signer([key('a', { retiredAt: now })], now), undefined);
    assert.equal(signer([key('a', { retiredAt: now + 1 })], now), 'a');
    assert.equal(signer([key('a', { compromisedAt: now })], now), undefined);
    assert.equal(signer([key('a', { algorithm: 'RS256' })], now), undefined);
    assert.ok(!canSign(key('a', { compromisedAt: now + 5 }), now));
  });

  it('begins now if it is the first or an administrator says so, and otherwise after its publication', () => {
    const begins = (keys: readonly SigningKey[], atOnce?: boolean) =>
      succession(keys, made(key('new')), now, atOnce).inserted?.signsFrom;
    assert.deepEqual(
      [begins([]), begins([key('a')], true), begins([key('a')])],
      [now, now, now + publicationLead],
    );
  });

  it('retires the keys of its algorithm that would sign beside it, and no others', () => {
    const retired = { retiredAt: now - 1 };
    const keys = [
      key('a'),
      key('rsa', { algorithm: 'RS256' }),
      key('old', retired),
      key('b', { retiredAt: now }),
    ];
    const { updated } = succession(
      [...keys, key('ending', { retiredAt: now + 1 })],
      made(key('new')),
      now,
      true,
    );
    assert.deepEqual(
      updated?.map(({ kid, retiredAt }) => [kid, retiredAt]),
      [
        ['a', now],
        ['ending', now],
      ],
    );
    const later = succession([key('a', { retiredAt: now + publicationLead })], made(key('new')), now);
    assert.deepEqual(later.updated, []);
  });

  it('goes on after a withdrawal only if it was to end with the withdrawn key', () => {
    const next = key('next', { signsFrom: now + 9 });
    const goesOn = (retiredAt: number | undefined) =>
      withdrawal([key('a', { retiredAt }), next], next, now).updated?.map(({ kid }) => kid);
    assert.deepEqual(
      [goesOn(now + 9), goesOn(now + 5), goesOn(undefined)],
      [['next', 'a'], ['next'], ['next']],
    );
    assert.deepEqual(withdrawal([next], next, now).updated?.length, 1);
  });
});

describe('a compromised signing key', () => {
  it('verifies nothing, signs nothing and has no private half, in any state', () => {
    for (const before of [
      key('x'),
      key('x', { signsFrom: now + 1 }),
      key('x', { retiredAt: now - 1 }),
      key('x', { retiredAt: now - 30 * day }),
    ]) {
      const [ended] = after([before], compromise([before], before, now));
      assert.ok(ended !== undefined);
      assert.deepEqual(states([ended], now), { x: 'compromised' });
      assert.deepEqual([canSign(ended, now), ended.privateKey], [false, undefined]);
      assert.ok(publishedUntil(ended) <= now && verifiesUntil(ended, sessionLifetime) <= now);
      assert.equal(ended.retiredAt, Math.min(before.retiredAt ?? now, now));
    }
  });

  it('is followed at once by the key that is published', () => {
    const before = after([key('a')], succession([key('a')], made(key('b')), now));
    const keys = after(before, compromise(before, before[0] as SigningKey, now + 1));
    assert.deepEqual(states(keys, now + 1), { a: 'compromised', b: 'signing' });
  });

  it('is followed by it also when it has just begun to sign', () => {
    const keys = [key('a', { signsFrom: now }), key('b', { signsFrom: now + 5 })];
    const changes = compromise(keys, keys[0] as SigningKey, now);
    assert.equal(signer(after(keys, changes), now), 'b');
    assert.deepEqual(
      changes.updated?.map(({ kid, signsFrom }) => [kid, signsFrom]),
      [
        ['a', now],
        ['b', now],
      ],
    );
  });

  it('that was only published leaves the key that signs in its place', () => {
    const before = after([key('a')], succession([key('a')], made(key('b')), now));
    const keys = after(before, compromise(before, before[1] as SigningKey, now + 1));
    assert.deepEqual(states(keys, now + 2 * publicationLead), { a: 'signing', b: 'compromised' });
  });

  it('that had retired changes no other key', () => {
    const keys = [
      key('old', { retiredAt: now - 1 }),
      key('a', { retiredAt: now + 5 }),
      key('b', { signsFrom: now + 5 }),
    ];
    assert.deepEqual(compromise(keys, keys[0] as SigningKey, now).updated?.length, 1);
    const only = [key('old', { retiredAt: now - 1 }), key('b', { signsFrom: now + 5 })];
    assert.deepEqual(compromise(only, only[0] as SigningKey, now).updated?.length, 1);
  });

  it('that signed leaves another one that signs as it is', () => {
    const keys = [key('a'), key('b', { signsFrom: now })];
    const kids = compromise(keys, keys[0] as SigningKey, now).updated?.map(({ kid }) => kid);
    assert.deepEqual(kids, ['a']);
  });

  it('is rejected for as long as a token that it signed can be valid, at a clock that is behind too', () => {
    assert.equal(rejectedUntil(now), now + longestJwtLifetime * 1000 + 300_000);
  });
});

describe('the maintenance of signing keys', () => {
  const at = (age: number) => [key('a', { signsFrom: now - age * 1000 })];

  it('needs a key for each algorithm', () => {
    const both = { ...rules, algorithms: ['RS256', 'ES256'] } as const;
    assert.deepEqual(missingKeys([], both, now), ['RS256', 'ES256']);
    assert.deepEqual(missingKeys([key('a')], both, now), ['RS256']);
    assert.deepEqual(missingKeys([key('a', { privateKey: undefined })], rules, now), ['ES256']);
  });

  it('leaves a key that signs too long as it is until its successor comes, and retires one of an algorithm that is not used', () => {
    const late = at(2 * rules.rotationInterval);
    assert.deepEqual(maintenance(late, rules, now), { updated: [], removed: [] });
    const unused = { ...rules, algorithms: ['RS256'] } as const;
    const retired = maintenance(late, unused, now).updated?.map(({ kid, retiredAt }) => [kid, retiredAt]);
    assert.deepEqual(retired, [['a', now]]);
  });

  it('needs the next key early enough that it signs when the interval is over, and only one', () => {
    const lead = publicationLead / 1000;
    assert.deepEqual(missingKeys(at(rules.rotationInterval - lead - 1), rules, now), []);
    const due = at(rules.rotationInterval - lead);
    assert.deepEqual(missingKeys(due, rules, now), ['ES256']);
    const followed = after(due, succession(due, made(key('b')), now));
    assert.deepEqual(missingKeys(followed, rules, now), []);
    assert.equal(followed[0]?.retiredAt, (due[0]?.signsFrom ?? 0) + rules.rotationInterval * 1000);
  });

  it('erases the private half of a retired key when no node signs with it any more', () => {
    const retired = [key('a', { retiredAt: now })];
    assert.deepEqual(maintenance(retired, rules, now + 60_000).updated, []);
    const changes = maintenance(retired, rules, now + 62_000);
    assert.deepEqual(changes.updated, [{ ...retired[0], privateKey: undefined }]);
    assert.deepEqual(maintenance(after(retired, changes), rules, now + 62_000), {
      updated: [],
      removed: [],
    });
  });

  it('removes a key when it verifies nothing any more, and a compromised key when its tokens have expired', () => {
    const retired = key('a', { retiredAt: now });
    const leaked = key('b', { retiredAt: now - day, compromisedAt: now });
    const removed = (time: number) =>
      maintenance([retired, leaked], rules, time).removed?.map(({ kid }) => kid);
    assert.deepEqual(removed(rejectedUntil(now) - 1), []);
    assert.deepEqual(removed(rejectedUntil(now)), ['b']);
    assert.deepEqual(removed(now + 7 * day), ['a', 'b']);
    assert.deepEqual(maintenance([retired, leaked], rules, now + 7 * day).updated, []);
  });

  it('retires the key of an algorithm that is no longer configured when its time is over', () => {
    const other = { ...rules, algorithms: ['RS256'] } as const;
    assert.deepEqual(maintenance(at(rules.rotationInterval - 1), other, now).updated, []);
    const over = at(rules.rotationInterval);
    assert.equal(maintenance(over, other, now).updated?.[0]?.retiredAt, now);
    const retired = over.map((each) => ({ ...each, retiredAt: now - 1 }));
    assert.deepEqual(maintenance(retired, other, now).updated, []);
  });
});

describe('storing changes of signing keys', () => {
  it('stores nothing when another node has stored a key with the same kid', async () => {
    const { transact, signingKeys } = memoryStore();
    const store = (changes: SigningKeyChanges) =>
      transact(({ signingKeys }) => storeSigningKeys(signingKeys, changes));
    assert.ok(await store({ inserted: key('a') }));
    assert.ok(!(await store({ inserted: key('a'), removed: [key('a')] })));
    assert.deepEqual(await signingKeys.list(), [key('a')]);
    assert.ok(await store({ updated: [key('a', { retiredAt: now })] }));
    assert.deepEqual(await signingKeys.list(), [key('a', { retiredAt: now })]);
    await store({ removed: [key('a')] });
    assert.deepEqual(await signingKeys.list(), []);
  });
});
