import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type AuditEvent, type RequestError, timeOrderedId } from '@watchword/protocol';
import { auditEventFactory } from '../../builders/audit-event.ts';
import { seededRandom } from '../../fakes/seeded-random.ts';
import { addClient, addResourceServer } from '../../registered.ts';
import { start } from '../grants/granted.ts';
import { type OpenStore, withStore } from '../store-under-test.ts';

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

const idsOfErrors = (errors: readonly RequestError[]) => errors.map(({ id }) => id);
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
      const newest = idsOfErrors(errors.toReversed());
      assert.deepEqual(idsOfErrors(await requestErrors.list({ ...all, limit: 4 })), newest.slice(0, 4));
      const before = newest[3];
      assert.deepEqual(
        idsOfErrors(await requestErrors.list({ ...all, before, limit: 4 })),
        newest.slice(4, 8),
      );
      const ofOne = errors.filter(({ clientRecordId }) => clientRecordId === 2).toReversed();
      assert.deepEqual(
        idsOfErrors(await requestErrors.list({ ...all, clientRecordId: 2 })),
        idsOfErrors(ofOne),
      );
      const since = errors[6]?.time ?? 0;
      assert.deepEqual(idsOfErrors(await requestErrors.list({ ...all, since })), newest.slice(0, 3));
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
      assert.deepEqual(
        idsOfErrors(await requestErrors.list(all)),
        idsOfErrors([...errors.slice(1, 4).toReversed(), other]),
      );
      await requestErrors.append(errors.slice(4), 3);
      assert.deepEqual(
        idsOfErrors(await requestErrors.list(all)),
        idsOfErrors([...errors.slice(4).toReversed(), other]),
      );
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
      assert.deepEqual(
        idsOfErrors(await store.requestErrors.list({ ...all, owner: emma })),
        idsOfErrors([seen]),
      );
      const query = { ...all, owner: emma, clientRecordId: theirs.id };
      assert.deepEqual(await store.requestErrors.list(query), []);
    }),
  );
}

const ids = (events: readonly AuditEvent[]) => events.map(({ id }) => id);

export function auditEventRules(openStore: OpenStore): void {
  it(
    'returns every field of an event as it was appended',
    withStore(openStore, async ({ auditEvents }) => {
      const make = auditEventFactory();
      const hostile = `it's; drop table audit_event -- "ü✓`;
      const full = make({
        actor: { identityProvider: 'https://idp.example/ä', name: hostile },
        recordName: hostile,
        before: { text: hostile, list: ['a'], nested: { ['__proto__']: 'x' }, flag: false, none: null },
      });
      const bare = make({ clientId: undefined, source: '', before: undefined, after: undefined });
      await auditEvents.append([full, bare]);
      const found = await auditEvents.list({ limit: 10 });
      for (const event of [full, bare]) {
        assert.deepEqual(
          found.find(({ id }) => id === event.id),
          event,
        );
      }
    }),
  );

  it(
    'lists events page by page, the newest first, each once, also events of the same millisecond',
    withStore(openStore, async ({ auditEvents }) => {
      const make = auditEventFactory();
      const events = Array.from({ length: 250 }, (_, index) => make({ time: start + index }));
      await auditEvents.append(events);
      await auditEvents.append([]);
      const listed: AuditEvent[] = [];
      for (;;) {
        const before = listed.at(-1)?.id;
        const page = await auditEvents.list({ limit: 100, ...(before !== undefined && { before }) });
        listed.push(...page);
        if (page.length < 100) break;
      }
      assert.deepEqual(ids(listed), ids(events.toReversed()));
    }),
  );

  it(
    'lists for an owner only events of their own records, by exact identity provider and name',
    withStore(openStore, async ({ auditEvents }) => {
      const make = auditEventFactory();
      const owner = { identityProvider: 'password', name: 'emma' };
      const own = [make({ owner, time: start }), make({ owner, time: start + 1 })];
      await auditEvents.append(own);
      await auditEvents.append(
        ['Emma', 'emma ', '\uff45mma'].map((name) => make({ owner: { ...owner, name } })),
      );
      await auditEvents.append([make({ owner: { identityProvider: 'Password', name: 'emma' } })]);
      assert.deepEqual(ids(await auditEvents.list({ owner, limit: 10 })), ids(own.toReversed()));
      const before = own[1]?.id ?? '';
      assert.deepEqual(ids(await auditEvents.list({ owner, before, limit: 10 })), ids(own.slice(0, 1)));
      assert.deepEqual(ids(await auditEvents.list({ owner, limit: 1 })), ids(own.slice(1)));
    }),
  );

  it(
    'lists the events by a person and about a person, each once, page by page, and no event of a person of the same name elsewhere',
    withStore(openStore, async ({ auditEvents }) => {
      const make = auditEventFactory();
      const [emma, root] = ['emma', 'root'].map((name) => ({ identityProvider: 'password', name }));
      if (emma === undefined || root === undefined) throw new Error('two persons are named');
      const elsewhere = { ...emma, identityProvider: 'idp' };
      const events = [
        make({ actor: emma, owner: root, time: start }),
        make({ actor: root, owner: emma, time: start + 1 }),
        make({ actor: root, owner: root, time: start + 2 }),
        make({ actor: elsewhere, owner: elsewhere, time: start + 3 }),
        make({ actor: emma, owner: emma, time: start + 4 }),
      ];
      await auditEvents.append(events);
      const found = [events[4], events[1], events[0]].map((event) => event?.id);
      assert.deepEqual(ids(await auditEvents.list({ person: emma, limit: 9 })), found);
      assert.deepEqual(ids(await auditEvents.list({ person: emma, limit: 2 })), found.slice(0, 2));
      const before = found[1] ?? '';
      assert.deepEqual(ids(await auditEvents.list({ person: emma, before, limit: 9 })), found.slice(2));
    }),
  );

  it(
    'lists the changes of one record only, by type and id',
    withStore(openStore, async ({ auditEvents }) => {
      const make = auditEventFactory();
      const record = { recordType: 'client', recordId: '7' } as const;
      const events = [
        make({ ...record, time: start }),
        make({ ...record, recordType: 'resourceServer', time: start + 1 }),
        make({ ...record, recordId: '77', time: start + 2 }),
        make({ ...record, time: start + 3 }),
      ];
      await auditEvents.append(events);
      const found = await auditEvents.list({ record, kind: 'changes', limit: 9 });
      assert.deepEqual(
        ids(found),
        [events[3], events[0]].map((event) => event?.id),
      );
    }),
  );
}
