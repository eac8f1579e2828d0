import { type AuditEvent, type AuditEventStore, isSameIdentity } from '@watchword/protocol';
import { canContain } from '../records/memory-records.ts';

const loginActions: readonly AuditEvent['action'][] = ['login', 'logout', 'grant', 'withdraw'];

/** @param events the stored events */
export function memoryAuditEvents(events: AuditEvent[]): AuditEventStore {
  return {
    async append(added) {
      events.push(...added);
    },
    list: async ({ owner, person, record, kind, mayContain, before, limit }) =>
      events
        .filter(() => canContain(mayContain))
        .filter(({ action }) => kind === undefined || (kind === 'logins') === loginActions.includes(action))
        .filter((event) => owner === undefined || isSameIdentity(owner, event.owner))
        .filter(
          ({ actor, owner }) =>
            person === undefined || isSameIdentity(person, actor) || isSameIdentity(person, owner),
        )
        .filter(
          ({ recordType, recordId }) =>
            record === undefined || (record.recordType === recordType && record.recordId === recordId),
        )
        .filter(({ id }) => before === undefined || id < before)
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit),
  };
}
