import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ConsentKey } from '@watchword/protocol';
import { grantFactory } from '../builders/grant.ts';
import { buildResourceOwner } from '../builders/resource-owner.ts';
import { coded, consented, start } from './granted.ts';
import type { OpenStore } from './store-under-test.ts';
import { withStore } from './with-store.ts';

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
      assert.deepEqual(await consents.find(key), []);
    }),
  );

  it(
    'replaces a consent with the latest one',
    withStore(openStore, async (store) => {
      const { consents } = store;
      const { grant } = await coded(store, grantFactory());
      for (const scopes of [['read'], ['write', 'read'], ['read'], []]) {
        await consents.save(key, scopes, start, grant.id);
        assert.deepEqual(await consents.find(key), scopes);
      }
    }),
  );

  it(
    'finds a consent only for the same owner, client and redirect URI',
    withStore(openStore, async (store) => {
      const { consents } = store;
      const { grant } = await coded(store, grantFactory());
      await consents.save(key, ['read'], start, grant.id);
      const others: ConsentKey[] = [
        { ...key, clientRecordId: 2 },
        { ...key, redirectUri: 'https://app.example/CB' },
        { ...key, redirectUri: 'https://app.example/cb/' },
        { ...key, owner: { ...key.owner, name: 'Emma' } },
        { ...key, owner: { ...key.owner, name: 'emma ' } },
        { ...key, owner: { ...key.owner, name: 'ｅmma' } },
        { ...key, owner: { ...key.owner, identityProvider: 'https://idp.example' } },
      ];
      for (const other of others) assert.deepEqual(await consents.find(other), [], JSON.stringify(other));
      for (const [index, other] of others.entries())
        await consents.save(other, [`s${index}`], start, grant.id);
      assert.deepEqual(await consents.find(key), ['read']);
      for (const [index, other] of others.entries()) {
        assert.deepEqual(await consents.find(other), [`s${index}`]);
      }
    }),
  );

  it(
    'finds a consent only for the subject that gave it, and replaces it with that of a new subject of the same name',
    withStore(openStore, async (store) => {
      const { consents } = store;
      const { grant } = await coded(store, grantFactory());
      const next = { ...key, subject: 'subject of another emma' };
      await consents.save(key, ['read', 'write'], start, grant.id);
      assert.deepEqual(await consents.find(next), []);
      await consents.save(next, ['read'], start, grant.id);
      assert.deepEqual(await consents.find(next), ['read']);
      assert.deepEqual(await consents.find(key), []);
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
    'keeps exactly one of the consents that are saved concurrently under one key',
    withStore(openStore, async (store) => {
      const { consents } = store;
      const { grant } = await coded(store, grantFactory());
      const saved = Array.from({ length: 20 }, (_, index) => [`a${index}`, `b${index}`]);
      await Promise.all(saved.map((scopes) => consents.save(key, scopes, start, grant.id)));
      const found = await consents.find(key);
      assert.ok(
        saved.some((scopes) => scopes.join() === found.join()),
        found.join(),
      );
    }),
  );

  it(
    'stores the consent of a grant only if the grant exists and is not revoked',
    withStore(openStore, async (store) => {
      const make = grantFactory();
      const [stored, revoked, unknown] = [make.grant(), make.grant(), make.grant()];
      for (const grant of [stored, revoked]) await store.authorizationCodes.insert(make.code(grant), grant);
      await store.grants.revoke(revoked.id, start);
      await store.consents.save(key, ['read'], start, stored.id);
      for (const { id } of [revoked, unknown]) await store.consents.save(key, ['write'], start, id);
      assert.deepEqual(await store.consents.find(key), ['read']);
    }),
  );
}
