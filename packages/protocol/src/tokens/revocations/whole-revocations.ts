import type { Clock } from '../../ports/clock.ts';
import type { Registry } from '../../ports/registry.ts';
import type { RevocationStore } from '../../ports/revocation-store.ts';
import { type RecentRevocations, type Revocations, readAll } from './recent-revocations.ts';
import { certainUntil } from './revocation-cursor.ts';
import { listedTime, ofResourceServer } from './revocation-list.ts';

// Milliseconds for which a list that was read is used, with what has changed since: all processes of an API start together.
const keptTime = 30_000;

interface KeptList {
  /** Epoch milliseconds: when the read began. */
  readonly readAt: number;
  readonly entries: Promise<Revocations>;
}

/** All revocations of the clients of a resource server that can concern valid tokens. */
export class WholeRevocations {
  readonly #store: RevocationStore;
  readonly #recent: RecentRevocations;
  readonly #registry: Pick<Registry, 'clientById'>;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lists = new Map<number, KeptList>();

  constructor(
    store: RevocationStore,
    recent: RecentRevocations,
    {
      registry,
      clock,
    }: { readonly registry: Pick<Registry, 'clientById'>; readonly clock: Pick<Clock, 'now'> },
  ) {
    this.#store = store;
    this.#recent = recent;
    this.#registry = registry;
    this.#clock = clock;
  }

  /** Has everything that the last read of the recent ones has. @throws StoreUnavailableError */
  async of(resourceServerId: number): Promise<Revocations> {
    const kept = this.#kept(resourceServerId);
    const since = this.#recent.since(certainUntil(kept.readAt));
    if (since === undefined) {
      this.#lists.delete(resourceServerId);
      return this.#read(resourceServerId, this.#clock.now());
    }
    const recent = ofResourceServer(since, resourceServerId, this.#registry);
    const { grants, tokens, clients } = await kept.entries;
    return {
      grants: [...grants, ...recent.grants],
      tokens: [...tokens, ...recent.tokens],
      clients: [...clients, ...recent.clients],
    };
  }

  #kept(id: number): KeptList {
    const now = this.#clock.now();
    for (const [other, { readAt }] of this.#lists) {
      if (Math.abs(now - readAt) >= keptTime) this.#lists.delete(other);
    }
    const known = this.#lists.get(id);
    if (known !== undefined) return known;
    const list = { readAt: now, entries: this.#read(id, now) };
    this.#lists.set(id, list);
    list.entries.catch(() => this.#lists.get(id) === list && this.#lists.delete(id));
    return list;
  }

  async #read(id: number, now: number): Promise<Revocations> {
    const registry = this.#registry;
    const from = now - listedTime;
    const own = (entries: Partial<Revocations>) =>
      ofResourceServer({ grants: [], tokens: [], clients: [], ...entries }, id, registry);
    const grants = await readAll(
      (page) => this.#store.listGrants(page),
      from,
      (page) => own({ grants: page }).grants.filter((grant) => !isCoveredByClient(grant, registry)),
    );
    const tokens = await readAll(
      (page) => this.#store.listTokens(page),
      from,
      (page) => own({ tokens: page }).tokens,
    );
    return { grants, tokens, clients: own({ clients: await this.#store.listClients(from) }).clients };
  }
}

/** The purge revokes the grants of a client whose tokens were all revoked: one entry says so for all of them. */
function isCoveredByClient(
  { clientRecordId, creationDate, revokedAt }: Revocations['grants'][number],
  registry: Pick<Registry, 'clientById'>,
): boolean {
  const validFrom = registry.clientById(clientRecordId)?.tokensValidFrom ?? 0;
  return creationDate <= validFrom && revokedAt <= validFrom;
}
