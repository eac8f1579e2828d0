import type { JwtClaims } from '../../ports/crypto/token-signer.ts';
import type { RevocationStore } from '../../ports/stores/grants/revocation-store.ts';
import type { Registry } from '../../ports/stores/registry.ts';
import type { Clock } from '../../ports/system/clock.ts';
import { pagesOf, type RecentRevocations, type Revocations } from './recent-revocations.ts';
import { certainUntil } from './revocation-cursor.ts';
import {
  clientEntries,
  type FeedRegistry,
  grantEntries,
  keyEntries,
  type ListEntries,
  listedTime,
  ofResourceServer,
  type RevokedKey,
  tokenEntries,
} from './revocation-list.ts';

// Milliseconds for which entries that were read are used, with what has changed since: all processes of an API start together.
const keptTime = 30_000;
const partSize = 2000;

/** JSON of entries, without braces, in parts between which a comma is missing. */
type Text = readonly Uint8Array[];

/** What was read. There can be a million grants and tokens, so they are text from the beginning, a page of rows at a time. */
interface ReadEntries {
  readonly grants: Text;
  readonly tokens: Text;
  readonly clients: Revocations['clients'];
}

interface KeptEntries {
  /** Epoch milliseconds: when the read began. */
  readonly readAt: number;
  /** Those that are certain at that time. Later ones are among the recent ones. */
  readonly entries: Promise<ReadEntries>;
}

/** All revocations of the clients of a resource server that can concern valid tokens. */
export class WholeRevocations {
  readonly #store: RevocationStore;
  readonly #recent: RecentRevocations;
  readonly #registry: FeedRegistry;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #kept = new Map<number, KeptEntries>();

  constructor(
    store: RevocationStore,
    recent: RecentRevocations,
    { registry, clock }: { readonly registry: FeedRegistry; readonly clock: Pick<Clock, 'now'> },
  ) {
    this.#store = store;
    this.#recent = recent;
    this.#registry = registry;
    this.#clock = clock;
  }

  /**
   * The claims and `revoked`, as JSON in UTF-8. It has everything that the last read of the recent ones has.
   *
   * @throws StoreUnavailableError
   */
  async claims(
    resourceServerId: number,
    claims: JwtClaims,
    keys: readonly RevokedKey[],
  ): Promise<Uint8Array> {
    const now = this.#clock.now();
    const { readAt, entries } = this.#entriesOf(resourceServerId);
    const since = this.#recent.since(certainUntil(readAt));
    if (since === undefined) this.#kept.delete(resourceServerId);
    const recent = ofResourceServer(since ?? nothing, resourceServerId, this.#registry);
    const read = since === undefined ? this.#read(resourceServerId, now, now) : entries;
    const { grants, tokens, clients } = await read;
    const recentGrants = await textsOf(recent.grants, (part) => grantEntries(part, now));
    const recentTokens = await textsOf(recent.tokens, (part) => tokenEntries(part, now));
    return joined([
      [`${JSON.stringify(claims).slice(0, -1)},"revoked":{"grants":{`],
      [...grants, ...recentGrants],
      ['},"tokens":{'],
      [...tokens, ...recentTokens],
      ['},"clients":{'],
      [textOf(clientEntries([...clients, ...recent.clients]))],
      ['},"keys":{'],
      [textOf(keyEntries(keys))],
      ['}}}'],
    ]);
  }

  /** Frees the memory of entries that are not used any more. */
  forgetOld(): void {
    const now = this.#clock.now();
    for (const [id, { readAt }] of this.#kept) {
      if (Math.abs(now - readAt) >= keptTime) this.#kept.delete(id);
    }
  }

  #entriesOf(id: number): KeptEntries {
    this.forgetOld();
    const known = this.#kept.get(id);
    if (known !== undefined) return known;
    const now = this.#clock.now();
    const kept = { readAt: now, entries: this.#read(id, now, certainUntil(now)) };
    this.#kept.set(id, kept);
    kept.entries.catch(() => this.#kept.get(id) === kept && this.#kept.delete(id));
    return kept;
  }

  /** @param until epoch milliseconds: later grants and tokens are left out */
  async #read(id: number, now: number, until: number): Promise<ReadEntries> {
    const registry = this.#registry;
    const from = now - listedTime;
    const own = (entries: Partial<Revocations>): Revocations =>
      ofResourceServer({ ...nothing, ...entries }, id, registry);
    const isEarly = ({ revokedAt }: { readonly revokedAt: number }) => revokedAt <= until;
    const grants: Uint8Array[] = [];
    for await (const page of pagesOf((asked) => this.#store.listGrants(asked), from)) {
      const isListed = (grant: Revocations['grants'][number]) =>
        isEarly(grant) && !isCoveredByClient(grant, registry);
      grants.push(textOf(grantEntries(own({ grants: page }).grants.filter(isListed), now)));
    }
    const tokens: Uint8Array[] = [];
    for await (const page of pagesOf((asked) => this.#store.listTokens(asked), from)) {
      tokens.push(textOf(tokenEntries(own({ tokens: page }).tokens.filter(isEarly), now)));
    }
    return { grants, tokens, clients: own({ clients: await this.#store.listClients(from) }).clients };
  }
}

const nothing: Revocations = { grants: [], tokens: [], clients: [] };

/** After an incident there are many recent ones. Other work has its turn between their parts. */
async function textsOf<Entry>(
  entries: readonly Entry[],
  listed: (part: readonly Entry[]) => ListEntries,
): Promise<Text> {
  const texts: Uint8Array[] = [];
  for (let begin = 0; begin < entries.length; begin += partSize) {
    if (begin > 0) await new Promise<void>((resolve) => setImmediate(resolve));
    texts.push(textOf(listed(entries.slice(begin, begin + partSize))));
  }
  return texts;
}

/** Without braces. */
function textOf(entries: ListEntries): Uint8Array {
  return Buffer.from(JSON.stringify(entries).slice(1, -1));
}

const comma = Buffer.from(',');

/** The parts of each list with commas between them, one list after the other. */
function joined(lists: readonly (readonly (string | Uint8Array)[])[]): Uint8Array {
  return Buffer.concat(
    lists.flatMap((list) => {
      const parts = list
        .map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
        .filter(({ length }) => length > 0);
      return parts.flatMap((part, index) => (index === 0 ? [part] : [comma, part]));
    }),
  );
}

/** The purge revokes the grants of a client whose tokens were all revoked: one entry says so for all of them. */
function isCoveredByClient(
  { clientRecordId, creationDate, revokedAt }: Revocations['grants'][number],
  registry: Pick<Registry, 'clientById'>,
): boolean {
  const validFrom = registry.clientById(clientRecordId)?.tokensValidFrom ?? 0;
  return creationDate <= validFrom && revokedAt <= validFrom;
}
