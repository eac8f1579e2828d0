/** What oidc-provider keeps of a record. */
interface Payload {
  readonly uid?: string;
  readonly grantId?: string;
  consumed?: number;
}

const records = new Map<string, Payload>();
const idByUid = new Map<string, string>();

/**
 * A store in memory for oidc-provider, without limits. Its own one keeps a thousand records, so it forgets grants that are in use, and
 * goes through all tokens of a grant at each refresh.
 */
export class MemoryStore {
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  async upsert(id: string, payload: Payload): Promise<void> {
    records.set(`${this.#model}:${id}`, payload);
    if (this.#model === 'Session' && payload.uid !== undefined) idByUid.set(payload.uid, id);
  }

  async find(id: string): Promise<Payload | undefined> {
    return records.get(`${this.#model}:${id}`);
  }

  async findByUid(uid: string): Promise<Payload | undefined> {
    return this.find(idByUid.get(uid) ?? '');
  }

  async consume(id: string): Promise<void> {
    const record = records.get(`${this.#model}:${id}`);
    if (record !== undefined) record.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    records.delete(`${this.#model}:${id}`);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
  }
}
