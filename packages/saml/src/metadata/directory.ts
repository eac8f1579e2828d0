import { type IdentityProvider, nameOf } from './identity-provider.ts';

export interface SearchResult {
  readonly providers: readonly IdentityProvider[];
  /** How many match, or how many there are when nothing was searched for. */
  readonly matches: number;
}

interface Listed {
  readonly provider: IdentityProvider;
  readonly name: string;
  /** Its beginning decides what stands first. */
  readonly plainName: string;
  /** What is searched in. */
  readonly text: string;
}

/** All identity providers, of all sources. Where two have the same entity id, that of the earlier source counts. */
export class ProviderDirectory {
  readonly #ofSource: (readonly IdentityProvider[])[];
  #byEntityId: ReadonlyMap<string, IdentityProvider> = new Map();
  /** Sorted by name, by language. */
  readonly #lists = new Map<string, readonly Listed[]>();

  constructor(sources: number) {
    this.#ofSource = Array.from({ length: sources }, () => []);
  }

  get size(): number {
    return this.#byEntityId.size;
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

  /** Whether it may still be used or not. */
  listed(entityId: string): IdentityProvider | undefined {
    return this.#byEntityId.get(entityId);
  }

  find(entityId: string, now: number): IdentityProvider | undefined {
    const provider = this.listed(entityId);
    return provider !== undefined && provider.validUntil > now ? provider : undefined;
  }

  /** The one that there is, when there is only one. */
  only(now: number): IdentityProvider | undefined {
    const [first] = this.#byEntityId.keys();
    return this.#byEntityId.size === 1 && first !== undefined ? this.find(first, now) : undefined;
  }

  /** Those in whose names, domains or keywords every word of the query occurs, the closest first. */
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

/** Without capitals and accents, for people type neither. */
function normalized(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}
