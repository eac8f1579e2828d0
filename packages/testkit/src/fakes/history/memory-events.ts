import {
  type AuditEvent,
  type AuditEventStore,
  isSameIdentity,
  type RequestError,
  type RequestErrorStore,
} from '@watchword/protocol';
import { canContain } from '../records/memory-records.ts';
import type { CountedRecords } from './memory-statistics.ts';

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
    async lastLogins({ identityProvider, names, since }) {
      const logins = events
        .filter(({ action, time }) => action === 'login' && time >= since)
        .filter(({ owner }) => owner.identityProvider === identityProvider && names.includes(owner.name))
        .toSorted((a, b) => a.time - b.time);
      return new Map(logins.map(({ owner, time }) => [owner.name, time]));
    },
  };
}

export function memoryRequestErrors({
  clients,
  servers,
}: Pick<CountedRecords, 'clients' | 'servers'>): RequestErrorStore {
  let stored: RequestError[] = [];
  const serverOf = ({ clientRecordId }: RequestError) =>
    servers.get(clients.get(clientRecordId)?.resourceServerId ?? 0);
  return {
    async append(errors, keptPerClient) {
      const all = [...stored, ...errors].toSorted((a, b) => (a.id < b.id ? 1 : -1));
      const byClient = Map.groupBy(all, ({ clientRecordId }) => clientRecordId);
      stored = [...byClient.values()].flatMap((ofClient) => ofClient.slice(0, keptPerClient));
    },
    find: async (requestId, since) =>
      stored
        .filter((error) => error.requestId === requestId && error.time >= since)
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))[0],
    list: async ({ clientRecordId, owner, before, since, limit }) =>
      stored
        .filter((error) => clientRecordId === undefined || clientRecordId === error.clientRecordId)
        .filter((error) => {
          const server = serverOf(error);
          return (
            owner === undefined ||
            (server?.owner === owner.name && server.ownerAuthority === owner.identityProvider)
          );
        })
        .filter(({ id, time }) => time >= since && (before === undefined || id < before))
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit),
  };
}
