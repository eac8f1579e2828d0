import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type RequestError, timeOrderedId } from '@watchword/protocol';
import { seededRandom } from '../../fakes/seeded-random.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { start } from '../grants/granted.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

/** Makes errors, each a millisecond after the one before. */
function errorFactory(): (overrides?: Partial<RequestError>) => RequestError {
  const random = seededRandom('request errors');
  let time = start;
  return (overrides = {}) => {
    time += 1;
    return {
      id: timeOrderedId(time, random),
      time,
      clientRecordId: 1,
      endpoint: 'token',
      error: 'invalid_scope',
      reason: 'because',
      rule: 'available_scope',
      expected: 'read',
      came: 'write',
      isAuthenticated: true,
      requestId: 'request-1',
      ...overrides,
    };
  };
}

const ids = (errors: readonly RequestError[]) => errors.map(({ id }) => id);
const all = { since: 0, limit: 100 };

export function requestErrorRules(openStore: OpenStore): void {
  it(
    'returns every field of an error as it was appended',
    withStore(openStore, async ({ requestErrors }) => {
      const make = errorFactory();
      const hostile = `it's; drop table request_error -- "ü✓`;
      const full = make({ endpoint: 'revocation', reason: hostile });
      const bare = make({ requestId: undefined, rule: undefined, expected: undefined, came: undefined });
      await requestErrors.append([full, bare], 10);
      assert.deepEqual(await requestErrors.list(all), [bare, full]);
    }),
  );

  it(
    'finds the newest error with an id of a request, since a time',
    withStore(openStore, async ({ requestErrors }) => {
      const make = errorFactory();
      const [old, other, last] = [make(), make({ requestId: 'request-2' }), make()];
      await requestErrors.append([old, other, last], 10);
      assert.deepEqual(await requestErrors.find('request-1', 0), last);
      assert.deepEqual(await requestErrors.find('request-2', other.time), other);
      assert.equal(await requestErrors.find('request-2', other.time + 1), undefined);
      assert.equal(await requestErrors.find("request-1' or '1'='1", 0), undefined);
    }),
  );

  it(
    'lists errors page by page, the newest first, each once, of all clients or of one, since a time',
    withStore(openStore, async ({ requestErrors }) => {
      const make = errorFactory();
      const errors = Array.from({ length: 9 }, (_, index) => make({ clientRecordId: 1 + (index % 2) }));
      await requestErrors.append(errors.slice(0, 5), 10);
      await requestErrors.append(errors.slice(5), 10);
      const newest = ids(errors.toReversed());
      assert.deepEqual(ids(await requestErrors.list({ ...all, limit: 4 })), newest.slice(0, 4));
      const before = newest[3];
      assert.deepEqual(ids(await requestErrors.list({ ...all, before, limit: 4 })), newest.slice(4, 8));
      const ofOne = errors.filter(({ clientRecordId }) => clientRecordId === 2).toReversed();
      assert.deepEqual(ids(await requestErrors.list({ ...all, clientRecordId: 2 })), ids(ofOne));
      const since = errors[6]?.time ?? 0;
      assert.deepEqual(ids(await requestErrors.list({ ...all, since })), newest.slice(0, 3));
    }),
  );

  it(
    'keeps only the newest errors of each client',
    withStore(openStore, async ({ requestErrors }) => {
      const make = errorFactory();
      const other = make({ clientRecordId: 2 });
      const errors = Array.from({ length: 7 }, () => make());
      await requestErrors.append([other, ...errors.slice(0, 3)], 3);
      await requestErrors.append(errors.slice(3, 4), 3);
      assert.deepEqual(ids(await requestErrors.list(all)), ids([...errors.slice(1, 4).toReversed(), other]));
      await requestErrors.append(errors.slice(4), 3);
      assert.deepEqual(ids(await requestErrors.list(all)), ids([...errors.slice(4).toReversed(), other]));
    }),
  );

  it(
    'lists for an owner only errors of the clients of their resource servers',
    withStore(openStore, async (store) => {
      const make = errorFactory();
      const emma = { identityProvider: 'password', name: 'emma' };
      const own = await addResourceServer(store, 'own', { owner: 'emma', ownerAuthority: 'password' });
      const other = await addResourceServer(store, 'other', { owner: 'emma', ownerAuthority: 'idp' });
      const [mine, theirs] = [await addClient(store, 'a', own), await addClient(store, 'b', other)];
      const [seen, hidden] = [make({ clientRecordId: mine.id }), make({ clientRecordId: theirs.id })];
      await store.requestErrors.append([seen, hidden], 10);
      assert.deepEqual(ids(await store.requestErrors.list({ ...all, owner: emma })), ids([seen]));
      const query = { ...all, owner: emma, clientRecordId: theirs.id };
      assert.deepEqual(await store.requestErrors.list(query), []);
    }),
  );
}
