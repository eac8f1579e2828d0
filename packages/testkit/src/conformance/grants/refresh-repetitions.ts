import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { RepetitionLimits, RepetitionOutcome, TokenPair } from '@watchword/protocol';
import { type GrantFactory, grantFactory } from '../../builders/grant.ts';
import { atOnce, inRounds, times } from '../rounds.ts';
import type { OpenStore, StoreUnderTest } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';
import { areFound, type Redeemed, redeemed, start } from './granted.ts';

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
