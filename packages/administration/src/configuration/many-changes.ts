import type {
  AuditEvent,
  Client,
  ClientStore,
  NamedClient,
  ResourceServer,
  ResourceServerStore,
  TransactionStores,
} from '@watchword/protocol';

/** The stores of a transaction that changes thousands of records: what each of them asks or writes is asked once and written together. */
export function storesForMany(stores: TransactionStores) {
  const events: AuditEvent[] = [];
  return {
    stores: {
      ...stores,
      resourceServers: remembering(stores.resourceServers),
      clients: { ...stores.clients, create: togetherIn(stores.clients) },
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

/** Registers clients that are created at the same time together, each with its first candidate, which no client has. */
function togetherIn(store: ClientStore): ClientStore['create'] {
  let waiting: Waiting[] = [];
  const createAll = async () => {
    const all = waiting;
    waiting = [];
    try {
      const created = await store.createAll(all.map(({ client }) => client));
      for (const [index, { resolve }] of all.entries()) resolve(created[index]);
    } catch (error) {
      for (const { reject } of all) reject(error);
    }
  };
  return (client, [clientId = '']) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(createAll);
      waiting.push({ client: { ...client, clientId }, resolve, reject });
    });
}

interface Waiting {
  readonly client: NamedClient;
  readonly resolve: (client: Client | undefined) => void;
  readonly reject: (error: unknown) => void;
}
