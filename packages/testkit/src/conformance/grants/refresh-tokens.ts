import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RepetitionLimits, RepetitionOutcome, TokenPair } from '@watchword/protocol';
import { type GrantFactory, grantFactory } from '../../builders/grant.ts';
import { atOnce, inRounds, times } from '../rounds.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';
import { areFound, coded, plain, type Redeemed, redeemed, start } from './granted.ts';

export function refreshTokenRules(openStore: OpenStore): void {
  it(
    'finds a refresh token as it was issued',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, code } = await coded(store, make, { clientRecordId: 7 });
      const issued = make.tokens(grant);
      const refreshToken = {
        ...issued.refreshToken,
        verifierHash: Uint8Array.from({ length: 32 }, (_, index) => 0xe0 + index),
        scopes: ['b', 'a'],
        expires: start - 1000,
        absoluteExpires: Number.MAX_SAFE_INTEGER,
        confirmation: { jkt: 'thumbprint' },
      };
      await store.authorizationCodes.redeem(code.id, { ...issued, refreshToken }, start);
      const found = await store.refreshTokens.find(refreshToken.id);
      assert.deepEqual(plain(found?.token), plain(refreshToken));
      assert.equal(found?.rotation, undefined);
      const next = make.tokens(grant);
      const confirmation = { 'x5t#S256': 'thumbprint' };
      const successor = { ...next.refreshToken, confirmation };
      await store.refreshTokens.rotate(
        refreshToken.id,
        { ...next, refreshToken: successor },
        'sealed',
        start,
      );
      assert.deepEqual(plain((await store.refreshTokens.find(successor.id))?.token), plain(successor));
      assert.equal(await store.refreshTokens.find(make.tokens(grant).refreshToken.id), undefined);
    }),
  );

  it(
    'rotates a refresh token once, and stores the tokens of that rotation only',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, refreshToken } = await redeemed(store, make);
      const [first, second] = [make.tokens(grant), make.tokens(grant)];
      assert.ok(await store.refreshTokens.rotate(refreshToken.id, first, 'sealed', start));
      assert.ok(!(await store.refreshTokens.rotate(refreshToken.id, second, 'other', start)));
      assert.deepEqual(await areFound(store, first, second), [true, true, false, false]);
      assert.deepEqual(
        plain(await store.accessTokens.find(first.accessToken.id)),
        plain({ ...first.accessToken, grant }),
      );
    }),
  );

  it(
    'keeps a refresh token that is used, until its new end, unless it was rotated or its grant is revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, refreshToken } = await redeemed(store, make);
      const [first, second, third] = [make.tokens(grant), make.tokens(grant), make.tokens(grant)];
      const later = refreshToken.expires + 5000;
      assert.ok(await store.refreshTokens.use(refreshToken.id, first.accessToken, later, start));
      assert.ok(await store.refreshTokens.use(refreshToken.id, second.accessToken, later, start));
      const found = await store.refreshTokens.find(refreshToken.id);
      assert.deepEqual(plain(found?.token), plain({ ...refreshToken, expires: later }));
      assert.equal(found?.rotation, undefined);
      const stored = await store.accessTokens.find(second.accessToken.id);
      assert.deepEqual(plain(stored), plain({ ...second.accessToken, grant }));
      assert.ok(await store.refreshTokens.rotate(refreshToken.id, third, 'sealed', start));
      const late = make.tokens(grant).accessToken;
      assert.ok(!(await store.refreshTokens.use(refreshToken.id, late, later, start)));
      await store.grants.revoke(grant.id, start);
      assert.ok(!(await store.refreshTokens.use(third.refreshToken.id, late, later, start)));
      assert.equal(await store.accessTokens.find(late.id), undefined);
    }),
  );

  it(
    'returns for a rotated token the time, the sealed answer and whether its successor was rotated',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, refreshToken } = await redeemed(store, make);
      const sealedAnswer = `${'A-_'.repeat(500)}ü`;
      const next = make.tokens(grant);
      await store.refreshTokens.rotate(refreshToken.id, next, sealedAnswer, start + 5);
      const rotation = async () => (await store.refreshTokens.find(refreshToken.id))?.rotation;
      assert.deepEqual(await rotation(), { at: start + 5, sealedAnswer, successorIsRotated: false });
      assert.equal((await store.refreshTokens.find(next.refreshToken.id))?.rotation, undefined);
      await store.refreshTokens.rotate(next.refreshToken.id, make.tokens(grant), 'x', start + 9);
      assert.deepEqual(await rotation(), { at: start + 5, sealedAnswer, successorIsRotated: true });
      assert.equal((await store.refreshTokens.find(next.refreshToken.id))?.rotation?.at, start + 9);
    }),
  );

  it(
    'keeps earlier access tokens valid after a rotation',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const { grant, accessToken, refreshToken } = await redeemed(store, make);
      await store.refreshTokens.rotate(refreshToken.id, make.tokens(grant), 'sealed', start);
      assert.notEqual(await store.accessTokens.find(accessToken.id), undefined);
    }),
  );

  it(
    'does not find or rotate an unknown token or a token of a revoked grant, and stores nothing',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [revoked, active] = [await redeemed(store, make), await redeemed(store, make)];
      const next = make.tokens(revoked.grant);
      await store.refreshTokens.rotate(revoked.refreshToken.id, next, 'sealed', start);
      await store.grants.revoke(revoked.grant.id, start);
      assert.equal(await store.refreshTokens.find(revoked.refreshToken.id), undefined);
      assert.equal(await store.refreshTokens.find(next.refreshToken.id), undefined);
      const unknown = make.tokens(active.grant);
      for (const [id, grant] of [
        [next.refreshToken.id, revoked.grant],
        [unknown.refreshToken.id, active.grant],
      ] as const) {
        const issued = make.tokens(grant);
        assert.ok(!(await store.refreshTokens.rotate(id, issued, 'sealed', start)));
        assert.deepEqual(await areFound(store, issued), [false, false]);
      }
    }),
  );
}

const limits: RepetitionLimits = { repetitions: 2, streak: 3 };

/** A grant whose refresh token is rotated again and again. */
interface Line {
  readonly first: Redeemed;
  /** Uses the newest token; resolves with the id of the one that was used. */
  rotate(): Promise<string>;
}

async function family(store: StoreUnderTest, make: GrantFactory): Promise<Line> {
  const first = await redeemed(store, make);
  let newest: Pick<TokenPair, 'refreshToken'> = first;
  return {
    first,
    async rotate() {
      const { id } = newest.refreshToken;
      newest = make.tokens(first.grant);
      const pair = newest as TokenPair;
      assert.ok(await store.refreshTokens.rotate(id, pair, 'sealed', start));
      return id;
    },
  };
}

export function refreshRepetitionRules(openStore: OpenStore): void {
  it(
    'permits as many repetitions of a rotation as the limit, and revokes nothing beyond it',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [one, two] = [await family(store, make), await family(store, make)];
      const [id, other] = [await one.rotate(), await two.rotate()];
      const repeat = () => store.refreshTokens.repeatRotation(id, limits);
      assert.deepEqual([await repeat(), await repeat()], ['answered', 'answered']);
      assert.deepEqual([await repeat(), await repeat()], ['exhausted', 'exhausted']);
      assert.equal(await store.refreshTokens.repeatRotation(other, limits), 'answered');
      assert.deepEqual(await areFound(store, one.first), [true, true]);
      await one.rotate();
    }),
  );

  it(
    'permits no repetition once the successor was used or the grant is revoked, and none of a rotation that does not exist',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [used, revoked] = [await family(store, make), await family(store, make)];
      const repeat = (id: string) => store.refreshTokens.repeatRotation(id, limits);
      const [id, revokedId] = [await used.rotate(), await revoked.rotate()];
      const newest = await used.rotate();
      assert.equal(await repeat(id), 'used');
      assert.equal(await repeat(newest), 'answered');
      await store.grants.revoke(revoked.first.grant.id, start);
      assert.equal(await repeat(revokedId), 'used');
      const { refreshToken } = await redeemed(store, make);
      assert.equal(await repeat(refreshToken.id), 'used');
      assert.equal(await repeat(make.tokens(used.first.grant).refreshToken.id), 'used');
    }),
  );

  it(
    'rejects every repetition in the third repeated rotation in a row',
    withStore(openStore, async (store) => {
      const { rotate } = await family(store, grantFactory());
      const outcomes: RepetitionOutcome[] = [];
      for (const repetitions of [0, 2, 1, 2]) {
        const id = await rotate();
        for (let count = 0; count < repetitions; count += 1) {
          outcomes.push(await store.refreshTokens.repeatRotation(id, limits));
        }
      }
      assert.deepEqual(outcomes, ['answered', 'answered', 'answered', 'streak', 'streak']);
    }),
  );

  it(
    'starts the count of repeated rotations again after a rotation without repetition',
    withStore(openStore, async (store) => {
      const { rotate } = await family(store, grantFactory());
      const outcomes: RepetitionOutcome[] = [];
      for (const isRepeated of [true, true, false, true, true, false, false, true, true, true]) {
        const id = await rotate();
        if (isRepeated) outcomes.push(await store.refreshTokens.repeatRotation(id, limits));
      }
      assert.deepEqual(outcomes, [...times(6, () => 'answered'), 'streak']);
    }),
  );

  it(
    'limits the repeated rotations in a row, or not at all without a limit',
    withStore(openStore, async (store) => {
      const lengths: number[] = [];
      for (const streak of [1, 2, 5, 0]) {
        const { rotate } = await family(store, grantFactory(`streak ${streak}`));
        let answered = 0;
        while (answered < 20) {
          const outcome = await store.refreshTokens.repeatRotation(await rotate(), { ...limits, streak });
          if (outcome !== 'answered') break;
          answered += 1;
        }
        lengths.push(answered);
      }
      assert.deepEqual(lengths, [0, 1, 4, 20]);
    }),
  );

  it(
    'permits as many of many concurrent repetitions as the limit',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      for (const repetitions of [2, 0]) {
        const id = await (await family(store, make)).rotate();
        const outcomes = await Promise.all(
          times(50, () => store.refreshTokens.repeatRotation(id, { ...limits, repetitions })),
        );
        const expected = [
          ...times(repetitions, () => 'answered'),
          ...times(50 - repetitions, () => 'exhausted'),
        ];
        assert.deepEqual(outcomes.toSorted(), expected);
      }
    }),
  );

  it(
    'permits no repetition after a concurrent use of the successor, and counts each permitted one',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const seen = new Set<RepetitionOutcome>();
      await inRounds(async (isReversed, round) => {
        const { rotate } = await family(store, make);
        const id = await rotate();
        const repeat = () => store.refreshTokens.repeatRotation(id, limits);
        let outcomes: RepetitionOutcome[] = [];
        let successor = '';
        await atOnce(
          isReversed,
          async () => {
            outcomes = await Promise.all(times(1 + (round % 3), repeat));
          },
          async () => {
            successor = await rotate();
          },
        );
        assert.equal(await repeat(), 'used');
        const isRepeated = outcomes.includes('answered');
        const next = await store.refreshTokens.repeatRotation(successor, { ...limits, streak: 2 });
        assert.equal(next, isRepeated ? 'streak' : 'answered');
        for (const outcome of outcomes) seen.add(outcome);
      });
      assert.ok(seen.has('used') && seen.has('answered'), [...seen].join());
    }),
  );

  it(
    'leaves no valid token when a rotation is repeated while its grant is revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      await inRounds(async (isReversed) => {
        const { first, rotate } = await family(store, make);
        const id = await rotate();
        await atOnce(
          isReversed,
          () => store.refreshTokens.repeatRotation(id, limits),
          () => store.grants.revoke(first.grant.id, start),
        );
        assert.equal(await store.refreshTokens.repeatRotation(id, limits), 'used');
        assert.deepEqual(await areFound(store, first), [false, false]);
      });
    }),
  );
}
