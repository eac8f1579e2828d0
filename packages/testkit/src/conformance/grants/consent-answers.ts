import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type GrantFactory, grantFactory } from '../../builders/grant.ts';
import type { OpenStore, StoreUnderTest } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';
import { areFound, start } from './granted.ts';

const expires = start + 600_000;

/** The three ways to answer a page. Each resolves with `true` for the first answer. */
const ways = {
  'by a code': (store: StoreUnderTest, make: GrantFactory, id: string) => {
    const grant = make.grant();
    return store.authorizationCodes.insert(make.code(grant, { id }), grant);
  },
  'by a token': (store: StoreUnderTest, make: GrantFactory, id: string) => {
    const grant = make.grant();
    return store.grants.insert(grant, make.tokens(grant).accessToken, { answer: { id, expires } });
  },
  'without a code or token': ({ consentAnswers }: StoreUnderTest, _make: GrantFactory, id: string) =>
    consentAnswers.note({ id, expires }),
};

export function consentAnswerRules(openStore: OpenStore): void {
  for (const [first, answer] of Object.entries(ways)) {
    for (const [second, answerAgain] of Object.entries(ways)) {
      it(
        `does not accept an answer ${second} to a page that was answered ${first}`,
        withStore(openStore, async (store) => {
          const make = grantFactory();
          const id = make.grant().id;
          assert.ok(!(await store.consentAnswers.isGiven(id)));
          assert.ok(await answer(store, make, id));
          assert.ok(await store.consentAnswers.isGiven(id));
          const before = await store.authorizationCodes.find(id);
          assert.ok(!(await answerAgain(store, make, id)));
          assert.deepEqual(await store.authorizationCodes.find(id), before);
          assert.ok(await answerAgain(store, make, make.grant().id));
        }),
      );
    }
  }

  it(
    'stores nothing for a second answer',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [first, second, third] = [make.grant(), make.grant(), make.grant()];
      const code = make.code(first);
      await store.authorizationCodes.insert(code, first);
      assert.ok(!(await store.authorizationCodes.insert(make.code(second, { id: code.id }), second)));
      const tokens = make.tokens(third);
      const answer = { id: code.id, expires };
      assert.ok(!(await store.grants.insert(third, tokens.accessToken, { answer })));
      assert.deepEqual(await areFound(store, { ...tokens, refreshToken: undefined }), [false]);
      const listed = await store.grants.listBySubject(first.owner.subject, start);
      assert.deepEqual(
        listed.map(({ grant }) => grant.id),
        [first.id],
      );
    }),
  );

  it(
    'keeps a page answered when the consent is withdrawn',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const grant = make.grant();
      const code = make.code(grant);
      await store.authorizationCodes.insert(code, grant);
      await store.grants.withdraw(grant.owner.subject, grant.clientRecordId, start);
      assert.ok(await store.consentAnswers.isGiven(code.id));
      for (const again of Object.values(ways)) assert.ok(!(await again(store, make, code.id)));
    }),
  );

  it(
    'accepts one of many concurrent answers of all kinds to one page',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      for (let round = 0; round < 20; round += 1) {
        const id = make.grant().id;
        const order = Object.values(ways).flatMap((way) => [way, way, way]);
        const turned = [...order.slice(round % order.length), ...order.slice(0, round % order.length)];
        const outcomes = await Promise.all(turned.map((way) => way(store, make, id)));
        assert.equal(outcomes.filter(Boolean).length, 1);
      }
    }),
  );
}
