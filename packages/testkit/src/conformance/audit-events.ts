import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AuditEvent } from '@watchword/protocol';
import { auditEventFactory } from '../builders/audit-event.ts';
import { start } from './granted.ts';
import type { OpenStore } from './store-under-test.ts';
import { withStore } from './with-store.ts';

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
}
