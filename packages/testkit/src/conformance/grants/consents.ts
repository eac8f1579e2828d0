import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ConsentKey } from '@watchword/protocol';
import { type GrantFactory, grantFactory } from '../../builders/grant.ts';
import { buildResourceOwner } from '../../builders/resource-owner.ts';
import { type OpenStore, type StoreUnderTest, withStore } from '../store-under-test.ts';
import { areFound, coded, consented, start } from './granted.ts';

const key: ConsentKey = {
  owner: { identityProvider: 'password', name: 'emma' },
  subject: 'subject of emma',
  clientRecordId: 1,
  redirectUri: 'https://app.example/cb',
};

export function consentRules(openStore: OpenStore): void {
  it(
    'finds no consented scopes before the first consent',
    withStore(openStore, async ({ consents }) => {
      assert.equal(await consents.find(key), undefined);
    }),
  );

  it(
    'replaces a consent only with one that names it',
    withStore(openStore, async (store) => {
      const { consents } = store;
      const make = grantFactory();
      let replaces: string | undefined;
      for (const scopes of [['read'], ['write', 'read'], ['read'], []]) {
        const { grant } = await coded(store, make);
        const consent = { key, scopes, replaces, savedAt: start };
        assert.ok(await consents.save(consent, grant.id));
        assert.deepEqual(await consents.find(key), { scopes, grantId: grant.id });
        const [{ grant: late }, other] = [await coded(store, make), make.grant()];
        const stale = { ...consent, scopes: ['stale'] };
        assert.ok(!(await consents.save(stale, late.id)));
        const code = make.code(other);
        assert.ok(!(await store.authorizationCodes.insert(code, other, { consent: stale })));
        assert.equal(await store.authorizationCodes.find(code.id), undefined);
        assert.equal(await store.grants.find(other.id), undefined);
        assert.deepEqual(await consents.find(key), { scopes, grantId: grant.id });
        replaces = grant.id;
      }
    }),
  );

  it(
    'finds a consent only for the same owner, client and redirect URI',
    withStore(openStore, async (store) => {
      const { consents } = store;
      const { grant } = await coded(store, grantFactory());
      await consents.save({ key, scopes: ['read'], savedAt: start }, grant.id);
      const others: ConsentKey[] = [
        { ...key, clientRecordId: 2 },
        { ...key, redirectUri: 'https://app.example/CB' },
        { ...key, redirectUri: 'https://app.example/cb/' },
        { ...key, owner: { ...key.owner, name: 'Emma' } },
        { ...key, owner: { ...key.owner, name: 'emma ' } },
        { ...key, owner: { ...key.owner, name: 'ｅmma' } },
        { ...key, owner: { ...key.owner, identityProvider: 'https://idp.example' } },
      ];
      for (const other of others) assert.equal(await consents.find(other), undefined, JSON.stringify(other));
      for (const [index, other] of others.entries())
        await consents.save({ key: other, scopes: [`s${index}`], savedAt: start }, grant.id);
      assert.deepEqual((await consents.find(key))?.scopes, ['read']);
      for (const [index, other] of others.entries()) {
        assert.deepEqual((await consents.find(other))?.scopes, [`s${index}`]);
      }
    }),
  );

  it(
    'finds a consent only for the subject that gave it, and replaces it with that of a new subject of the same name',
    withStore(openStore, async (store) => {
      const { consents } = store;
      const { grant } = await coded(store, grantFactory());
      const next = { ...key, subject: 'subject of another emma' };
      await consents.save({ key, scopes: ['read', 'write'], savedAt: start }, grant.id);
      assert.equal(await consents.find(next), undefined);
      await consents.save({ key: next, scopes: ['read'], savedAt: start }, grant.id);
      assert.deepEqual((await consents.find(next))?.scopes, ['read']);
      assert.equal(await consents.find(key), undefined);
    }),
  );

  it(
    'lists the consents of a subject for all clients and redirect URIs',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const grants = [
        await coded(store, make, { creationDate: start }),
        await coded(store, make, { creationDate: start + 1, clientRecordId: 2 }),
      ].map(({ grant }) => grant);
      const [first, second] = [grants[0] ?? assert.fail(), grants[1] ?? assert.fail()];
      await consented(store, first, ['read']);
      await consented(store, second, ['write', 'read'], 'https://app.example/2');
      await consented(store, { ...first, owner: buildResourceOwner('finn') }, ['read']);
      assert.deepEqual(await store.consents.listBySubject(first.owner.subject), [
        { clientRecordId: 1, scopes: ['read'], savedAt: start },
        { clientRecordId: 2, scopes: ['write', 'read'], savedAt: start + 1 },
      ]);
      assert.deepEqual(await store.consents.listBySubject('nobody'), []);
    }),
  );

  it(
    'stores one of the consents that are saved concurrently and replace the same one',
    withStore(openStore, async (store) => {
      const { consents } = store;
      const make = grantFactory();
      let replaces: string | undefined;
      for (const round of ['first', 'next']) {
        const grants = await Promise.all(Array.from({ length: 20 }, () => coded(store, make)));
        const saved = await Promise.all(
          grants.map(({ grant }, index) =>
            consents.save({ key, scopes: [`${round}${index}`], replaces, savedAt: start }, grant.id),
          ),
        );
        assert.equal(saved.filter(Boolean).length, 1);
        const index = saved.indexOf(true);
        replaces = grants[index]?.grant.id;
        assert.deepEqual(await consents.find(key), { scopes: [`${round}${index}`], grantId: replaces });
      }
    }),
  );

  it(
    'stores the consent of a grant only if the grant exists and is not revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [stored, revoked, unknown] = [make.grant(), make.grant(), make.grant()];
      for (const grant of [stored, revoked]) await store.authorizationCodes.insert(make.code(grant), grant);
      await store.grants.revoke(revoked.id, start);
      await store.consents.save({ key, scopes: ['read'], savedAt: start }, stored.id);
      for (const { id } of [revoked, unknown])
        await store.consents.save({ key, scopes: ['write'], savedAt: start }, id);
      assert.deepEqual((await store.consents.find(key))?.scopes, ['read']);
    }),
  );

  it(
    'stores a consent together with a code and its grant, in place of the one before',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      let replaces: string | undefined;
      for (const scopes of [['read', 'write'], ['read'], []]) {
        const grant = make.grant({ scopes });
        const consent = { key, scopes, replaces, savedAt: start };
        replaces = grant.id;
        assert.ok(await store.authorizationCodes.insert(make.code(grant), grant, { consent }));
        assert.deepEqual((await store.consents.find(key))?.scopes, scopes);
      }
    }),
  );

  it(
    'stores no consent for a second answer to the same consent page',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [first, second] = [make.grant(), make.grant()];
      const code = make.code(first);
      const again = make.code(second, { id: code.id });
      const consent = { key, scopes: ['read'], savedAt: start };
      assert.ok(await store.authorizationCodes.insert(code, first, { consent }));
      const other = { ...consent, scopes: ['write'] };
      assert.ok(!(await store.authorizationCodes.insert(again, second, { consent: other })));
      assert.deepEqual((await store.consents.find(key))?.scopes, ['read']);
    }),
  );

  it(
    'stores one of the codes whose consents replace the same one, and every code with a key of its own',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const grants = Array.from({ length: 20 }, (_, index) => make.grant({ scopes: [`s${index}`] }));
      const codes = grants.map((grant) => make.code(grant));
      const stored = await Promise.all(
        grants.map((grant, index) => {
          // Half of them also have a key of their own, so that a group has both.
          const own = index % 2 === 0 ? key : { ...key, redirectUri: `https://app.example/${index}` };
          const consent = { key: own, scopes: grant.scopes, savedAt: start };
          return store.authorizationCodes.insert(codes[index] ?? assert.fail(), grant, { consent });
        }),
      );
      const isOfOne = (_: unknown, index: number) => index % 2 === 0;
      assert.equal(stored.filter(isOfOne).filter(Boolean).length, 1);
      assert.ok(stored.every((isStored, index) => isStored || isOfOne(isStored, index)));
      const found = await Promise.all(codes.map(({ id }) => store.authorizationCodes.find(id)));
      assert.deepEqual(
        found.map((each) => each?.grant !== undefined),
        stored,
      );
      assert.deepEqual((await store.consents.find(key))?.scopes, [
        `s${stored.findIndex((isStored, index) => isStored && index % 2 === 0)}`,
      ]);
      const odd = { ...key, redirectUri: 'https://app.example/7' };
      assert.deepEqual((await store.consents.find(odd))?.scopes, ['s7']);
    }),
  );

  it(
    'forgets a consent that was stored with a code when the resource owner withdraws the access',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const grant = make.grant();
      const consent = { key: { ...key, subject: grant.owner.subject }, scopes: ['read'], savedAt: start };
      await store.authorizationCodes.insert(make.code(grant), grant, { consent });
      assert.equal(
        await store.grants.withdraw(grant.owner.subject, [{ clientRecordId: grant.clientRecordId }], start),
        1,
      );
      assert.equal(await store.consents.find(consent.key), undefined);
    }),
  );
}

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
      await store.grants.withdraw(grant.owner.subject, [{ clientRecordId: grant.clientRecordId }], start);
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
