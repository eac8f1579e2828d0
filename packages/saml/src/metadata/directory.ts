import type { Clock } from '@watchword/protocol';
import { type IdentityProvider, isEntityId, nameOf } from './identity-provider.ts';
import type { MetadataSource } from './source.ts';

export interface SearchResult {
  readonly providers: readonly IdentityProvider[];
  /** The number of matches; without a query, of all identity providers that are shown. */
  readonly matches: number;
}

interface Listed {
  readonly provider: IdentityProvider;
  readonly name: string;
  /** The normalized name. Matches at its beginning are listed first. */
  readonly plainName: string;
  /** The normalized text that is searched. */
  readonly text: string;
}

/** The identity providers of all sources. When two have the same entity id, the earlier source wins. */
export class ProviderDirectory {
  readonly #ofSource: (readonly IdentityProvider[])[];
  #byEntityId: ReadonlyMap<string, IdentityProvider> = new Map();
  /** Sorted by name; one list for each language. */
  readonly #lists = new Map<string, readonly Listed[]>();

  constructor(sources: number) {
    this.#ofSource = Array.from({ length: sources }, () => []);
  }

  get size(): number {
    return this.#byEntityId.size;
  }

  /** At most so many of them. */
  some(limit: number): readonly IdentityProvider[] {
    return [...this.#byEntityId.values()].slice(0, limit);
  }

  replace(source: number, providers: readonly IdentityProvider[]): void {
    this.#ofSource[source] = providers;
    this.#byEntityId = new Map(
      this.#ofSource
        .toReversed()
        .flat()
        .map((provider) => [provider.entityId, provider]),
    );
    this.#lists.clear();
  }

  /** The identity provider, even when its metadata has expired. */
  listed(entityId: string): IdentityProvider | undefined {
    return this.#byEntityId.get(entityId);
  }

  find(entityId: string, now: number): IdentityProvider | undefined {
    const provider = this.listed(entityId);
    return provider !== undefined && provider.validUntil > now ? provider : undefined;
  }

  /** The identity provider, when there is exactly one and its metadata has not expired. */
  only(now: number): IdentityProvider | undefined {
    const [first] = this.#byEntityId.keys();
    return this.#byEntityId.size === 1 && first !== undefined ? this.find(first, now) : undefined;
  }

  /** Identity providers whose names, domains or keywords contain every word of the query; names that begin with it first. */
  search(query: string, language: string, limit: number, now: number): SearchResult {
    const words = normalized(query)
      .split(' ')
      .filter((word) => word !== '');
    const found = this.#list(language).filter(
      ({ provider, text }) => provider.validUntil > now && words.every((word) => text.includes(word)),
    );
    const [first = ''] = words;
    const begins = ({ plainName }: Listed) => plainName.startsWith(first);
    const ranked = first === '' ? found : [...found.filter(begins), ...found.filter((each) => !begins(each))];
    return { providers: ranked.slice(0, limit).map(({ provider }) => provider), matches: found.length };
  }

  #list(language: string): readonly Listed[] {
    const known = this.#lists.get(language);
    if (known !== undefined) return known;
    const { compare } = new Intl.Collator(language);
    const list = [...this.#byEntityId.values()]
      .filter(({ isHidden }) => !isHidden)
      .map((provider) => {
        const name = nameOf(provider, language);
        return { provider, name, plainName: normalized(name), text: searchText(provider) };
      })
      .sort((a, b) => compare(a.name, b.name));
    this.#lists.set(language, list);
    return list;
  }
}

function searchText({ names, keywords, scopes, entityId }: IdentityProvider): string {
  const host = URL.canParse(entityId) ? new URL(entityId).host : entityId;
  return normalized([...names.values(), ...keywords, ...scopes.map(({ value }) => value), host].join(' '));
}

/** Without capitals and accents, because users leave them out when they search. */
function normalized(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

interface ConfiguredDependencies {
  readonly directory: ProviderDirectory;
  readonly sources: readonly MetadataSource[];
  readonly clock: Clock;
  /** Whether the metadata of the source was loaded since the start. */
  isLoaded(source: MetadataSource): boolean;
}

/**
 * Whether users of this identity provider can log in. It is configured when the last valid copy of the metadata has it, or
 * when the configuration names it and no copy was loaded yet. `undefined` while this is unknown: that copy has expired, or a
 * source that can have it was not loaded.
 *
 * @param identityProvider an entity id, or `proxy!provider` for an identity provider behind a proxy
 */
export function isConfigured(
  identityProvider: string,
  { directory, sources, clock, isLoaded }: ConfiguredDependencies,
): boolean | undefined {
  const [entityId = '', behind] = identityProvider.split('!', 2);
  if (!isEntityId(entityId)) return false;
  const isProxy = behind !== undefined;
  const listed = directory.listed(entityId);
  if (listed !== undefined) {
    if (listed.isProxy !== isProxy) return false;
    return listed.validUntil > clock.now() || undefined;
  }
  const open = sources.filter((source) => source.isProxy === isProxy && !isLoaded(source));
  if (open.some(({ entityIds }) => entityIds.includes(entityId))) return true;
  return open.some(({ entityIds }) => entityIds.length === 0) ? undefined : false;
}
