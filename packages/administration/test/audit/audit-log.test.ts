import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditEvent } from '@watchword/protocol';
import {
  auditEventFactory,
  buildAccount,
  buildAdministrator,
  buildCaller,
  memoryStore,
} from '@watchword/testkit';
import { type AuditEventFilter, auditLog } from '../../src/audit/audit-log.ts';
import type { Caller } from '../../src/callers/caller.ts';

const root = buildAdministrator();
const emma = { identityProvider: 'password', name: 'emma' };
const noah = { identityProvider: 'password', name: 'noah' };
const created = Date.UTC(2026, 0, 2);
const event = auditEventFactory();

/** The names of the records of the events that the caller gets, the oldest first. */
async function log(caller: Caller, filter: AuditEventFilter, events: readonly Partial<AuditEvent>[]) {
  const store = memoryStore();
  await store.accounts.create(buildAccount({ creationDate: created }));
  await store.accounts.create(buildAccount({ username: 'root', creationDate: created }));
  await store.auditEvents.append(
    events.map((given, index) => event({ time: created + index, recordName: String(index), ...given })),
  );
  const { items } = await auditLog(store)(caller, filter, { limit: 20 });
  return items.toReversed();
}

async function names(caller: Caller, filter: AuditEventFilter, events: readonly Partial<AuditEvent>[]) {
  return (await log(caller, filter, events)).map(({ recordName }) => recordName);
}

describe('the audit log', () => {
  it('has for a local account nothing from before the account, and for an administrator everything', async () => {
    const events = [{ time: created - 1 }, { time: created }];
    assert.deepEqual(await names(buildCaller('emma'), {}, events), ['1']);
    assert.deepEqual(await names(root, {}, events), ['0', '1']);
    const elsewhere = buildCaller('emma', 'https://idp.example');
    const ofOther = events.map((each) => ({ ...each, owner: elsewhere.identity }));
    assert.deepEqual(await names(elsewhere, {}, ofOther), ['0', '1']);
    const withoutAccount = buildCaller('noah');
    const own = events.map((each) => ({ ...each, owner: withoutAccount.identity }));
    assert.deepEqual(await names(withoutAccount, {}, own), ['0', '1']);
  });

  it('is filtered by record, person, kind and text, alone and together', async () => {
    const events: Partial<AuditEvent>[] = [
      { recordType: 'client', recordId: '7' },
      { recordType: 'client', recordId: '8', actor: noah, owner: noah },
      { recordType: 'resourceServer', recordId: '7', actor: noah },
      { recordType: 'loginSession', recordId: '7', action: 'login', clientId: undefined, owner: noah },
      { recordType: 'grant', recordId: '7', action: 'grant', clientId: 'night-pages' },
    ];
    for (const [filter, expected] of [
      [{}, ['0', '1', '2', '3', '4']],
      [{ recordType: 'client' }, ['0', '1']],
      [{ recordId: '7' }, ['0', '2', '3', '4']],
      [{ recordType: 'client', recordId: '7' }, ['0']],
      [{ recordType: 'loginSession', recordId: '7' }, ['3']],
      [{ recordType: 'grant', recordId: '7', kind: 'logins' }, ['4']],
      [{ recordType: 'grant', recordId: '8' }, []],
      [{ kind: 'logins' }, ['3', '4']],
      [{ kind: 'changes' }, ['0', '1', '2']],
      [{ kind: 'changes', recordType: 'client', recordId: '8' }, ['1']],
      [{ kind: 'logins', recordType: 'client', recordId: '7' }, []],
      [{ person: noah }, ['1', '2', '3']],
      [{ person: noah, kind: 'logins' }, ['3']],
      [{ person: emma, recordType: 'client' }, ['0']],
      [{ clientId: 'night-pages' }, ['4']],
      [{ action: 'login' }, ['3']],
      [{ action: 'grant', kind: 'logins' }, ['4']],
      [{ actor: 'NOA' }, ['1', '2']],
      [{ actor: 'noah', q: '1' }, ['1']],
      [{ actor: 'night' }, []],
      [{ q: 'NIGHT' }, ['4']],
      [{ q: 'noah' }, ['1', '2']],
      [{ q: '3' }, ['3']],
      [{ q: 'undefined' }, []],
      [{ since: created + 3 }, ['3', '4']],
      [{ until: created + 2 }, ['0', '1']],
      [{ since: created + 1, until: created + 2 }, ['1']],
      // The changes of the client of that name, and no other record of the name.
      [{ clientId: '0' }, ['0']],
      [{ clientId: '2' }, []],
    ] as const) {
      assert.deepEqual(await names(root, filter, events), expected, JSON.stringify(filter));
    }
    // A caller who is no administrator sees events of the own records, also of those that another person changed.
    assert.deepEqual(await names(buildCaller('emma'), {}, events), ['0', '2', '4']);
    assert.deepEqual(await names(buildCaller('emma'), { person: noah }, events), ['2']);
  });

  it('hides from users the address from which another person acted, and from nobody the own one', async () => {
    const events = [{ actor: noah, source: '192.0.2.1' }, { source: '192.0.2.2' }];
    const sources = async (caller: Caller) => (await log(caller, {}, events)).map(({ source }) => source);
    assert.deepEqual(await sources(buildCaller('emma')), ['', '192.0.2.2']);
    assert.deepEqual(await sources(root), ['192.0.2.1', '192.0.2.2']);
  });

  it('asks the store for what that has an index of', async () => {
    const store = memoryStore();
    const asked: object[] = [];
    const list: typeof store.auditEvents.list = async ({ limit, mayContain, ...query }) => {
      asked.push(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)));
      return [];
    };
    const read = auditLog({ ...store, auditEvents: { ...store.auditEvents, list } });
    const record = { recordType: 'client', recordId: '7' };
    for (const [caller, filter, query] of [
      [root, {}, {}],
      [root, { kind: 'logins' }, { kind: 'logins' }],
      [root, { person: noah, kind: 'changes' }, { person: noah, kind: 'changes' }],
      [root, record, { kind: 'changes', record }],
      [root, { ...record, kind: 'logins' }, { kind: 'logins' }],
      [root, { ...record, recordType: 'grant' }, {}],
      [buildCaller('emma'), { person: noah, ...record }, { owner: emma }],
    ] as const) {
      await read(caller, filter, { limit: 9 });
      assert.deepEqual(asked.pop(), query, JSON.stringify(filter));
    }
  });

  it('does not read what is newer than the events that are asked for', async () => {
    const store = memoryStore();
    const times = [created, ...Array.from({ length: 999 }, () => created + 3_600_000)];
    await store.auditEvents.append(times.map((time) => event({ time })));
    let rows = 0;
    const list: typeof store.auditEvents.list = async (query) => {
      const found = await store.auditEvents.list(query);
      rows += found.length;
      return found;
    };
    const read = auditLog({ ...store, auditEvents: { ...store.auditEvents, list } });
    const { items } = await read(root, { until: created + 1 }, { limit: 9 });
    assert.deepEqual([items.length, rows], [1, 1]);
    assert.equal((await read(root, { until: 1e15 }, { limit: 9 })).items.length, 9);
  });

  it('stops reading at an event from long before the first one that is asked for', async () => {
    const store = memoryStore();
    const [old, late] = [created - 3_600_000, created - 500_000];
    // The last one comes from a node whose clock is behind.
    const times = [...Array.from({ length: 999 }, () => old), created, late];
    await store.auditEvents.append(times.map((time) => event({ time })));
    const reads: number[] = [];
    const list: typeof store.auditEvents.list = async (query) => {
      const found = await store.auditEvents.list(query);
      reads.push(found.length);
      return found;
    };
    const read = auditLog({ ...store, auditEvents: { ...store.auditEvents, list } });
    const { items } = await read(root, { since: created }, { limit: 1 });
    assert.deepEqual(
      items.map(({ time }) => time),
      [created],
    );
    reads.length = 0;
    assert.deepEqual((await read(root, { since: created + 1 }, { limit: 1 })).items, []);
    assert.ok(
      reads.reduce((sum, read) => sum + read, 0) < times.length,
      `${reads} of ${times.length} were read`,
    );
  });

  it('is read page by page, each event once', async () => {
    const store = memoryStore();
    await store.auditEvents.append(Array.from({ length: 5 }, (_, index) => event({ time: created + index })));
    const read: string[] = [];
    let after: string | undefined;
    do {
      const page = await auditLog(store)(root, {}, { limit: 2, after });
      read.push(...page.items.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined && read.length < 9);
    assert.equal(read.length, 5);
    assert.deepEqual(read, read.toSorted().toReversed());
  });
});
