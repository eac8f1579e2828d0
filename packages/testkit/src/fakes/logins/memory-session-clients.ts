import {
  type LogoutDelivery,
  type LogoutDeliveryStore,
  logoutDeliveryRetention,
  type SessionClient,
  type SessionClientStore,
} from '@watchword/protocol';

export interface MemorySessionClients {
  readonly sessionClients: SessionClientStore;
  readonly logoutDeliveries: LogoutDeliveryStore;
  /** Makes logout deliveries of the clients of a session that ends. */
  end(sessionId: string, now: number): void;
  /** What a transaction can change. */
  readonly maps: readonly Map<unknown, unknown>[];
}

export function memorySessionClients(): MemorySessionClients {
  const clients = new Map<string, SessionClient>();
  const deliveries = new Map<string, LogoutDelivery>();
  const listeners: ((by: 'end' | 'retry') => void)[] = [];
  const keyOf = ({ sessionId, clientRecordId, sid }: SessionClient) =>
    `${sessionId} ${clientRecordId} ${sid}`;
  const ofSession = (sessionId: string) =>
    [...clients.values()].filter((client) => client.sessionId === sessionId);
  const insert = (client: SessionClient) => {
    if (!clients.has(keyOf(client))) clients.set(keyOf(client), client);
  };
  const newestFirst = () => [...deliveries.values()].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return {
    maps: [clients, deliveries],
    sessionClients: {
      insert: async (client) => {
        if (!deliveries.has(keyOf(client))) insert(client);
      },
      list: async (sessionId) => ofSession(sessionId),
      async move(from, to) {
        for (const client of ofSession(from)) {
          clients.delete(keyOf(client));
          insert({ ...client, sessionId: to });
        }
      },
    },
    logoutDeliveries: {
      listDue: async (now, limit) =>
        [...deliveries.values()]
          .filter(({ nextAttempt }) => nextAttempt !== undefined && nextAttempt <= now)
          .toSorted((a, b) => (a.nextAttempt ?? 0) - (b.nextAttempt ?? 0))
          .slice(0, limit),
      async claim(delivery, until) {
        const stored = deliveries.get(keyOf(delivery));
        if (stored === undefined || stored.nextAttempt !== delivery.nextAttempt) return false;
        deliveries.set(keyOf(delivery), { ...stored, nextAttempt: until });
        return true;
      },
      async update(delivery, change) {
        const stored = deliveries.get(keyOf(delivery));
        if (stored !== undefined) deliveries.set(keyOf(delivery), { ...stored, ...change });
      },
      async retry(delivery, now) {
        const stored = deliveries.get(keyOf(delivery));
        if (stored === undefined) return false;
        deliveries.set(keyOf(delivery), { ...stored, attempts: 0, nextAttempt: now, failure: undefined });
        for (const listener of listeners) listener('retry');
        return true;
      },
      async remove(delivery) {
        deliveries.delete(keyOf(delivery));
      },
      list: async ({ clientRecordId, failed, before, limit }) =>
        newestFirst()
          .filter((each) => clientRecordId === undefined || each.clientRecordId === clientRecordId)
          .filter(({ nextAttempt }) => failed === undefined || failed === (nextAttempt === undefined))
          .filter(({ id }) => before === undefined || id < before)
          .slice(0, limit),
      find: async (wanted) => [...deliveries.values()].find(({ id }) => id === wanted),
      onDue: (listener) => listeners.push(listener),
    },
    end(sessionId, now) {
      for (const client of ofSession(sessionId)) {
        clients.delete(keyOf(client));
        deliveries.set(keyOf(client), {
          ...client,
          expires: now + logoutDeliveryRetention,
          endedAt: now,
          attempts: 0,
          nextAttempt: now,
          failure: undefined,
        });
        for (const listener of listeners) listener('end');
      }
    },
  };
}
