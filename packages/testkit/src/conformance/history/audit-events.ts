import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AuditEvent } from '@watchword/protocol';
import { auditEventFactory } from '../../builders/audit-event.ts';
import { start } from '../grants/granted.ts';
import type { OpenStore } from '../store-under-test.ts';
import { withStore } from '../with-store.ts';

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
