import type { AuditEvent, ResourceServer, ResourceServerStore, TransactionStores } from '@watchword/protocol';

/** The stores of a transaction that changes thousands of records: what each of them asks or writes is asked once and written together. */
export function storesForMany(stores: TransactionStores) {
  const events: AuditEvent[] = [];
  return {
    stores: {
      ...stores,
      resourceServers: remembering(stores.resourceServers),
      auditEvents: { ...stores.auditEvents, append: async (added) => void events.push(...added) },
    } satisfies TransactionStores,
    events,
    writeEvents: () => stores.auditEvents.append(events),
  };
}

/** Finds a resource server once, until one changes. */
function remembering(store: ResourceServerStore): ResourceServerStore {
  const known = new Map<number, Promise<ResourceServer | undefined>>();
  const forgetting =
    <Given extends unknown[], Value>(change: (...given: Given) => Promise<Value>) =>
    (...given: Given): Promise<Value> => {
      known.clear();
      return change(...given);
    };
  return {
    ...store,
    findById(id) {
      const found = known.get(id) ?? store.findById(id);
      known.set(id, found);
      return found;
    },
    update: forgetting(store.update),
    delete: forgetting(store.delete),
    replaceSecret: forgetting(store.replaceSecret),
  };
}
