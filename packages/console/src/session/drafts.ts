import { keepJson, keptJson } from '../browser-storage.ts';

const storageKey = 'watchword.drafts';

/**
 * What people have typed and not saved, by form. It is held in memory, and written to `sessionStorage` only while the
 * page is left, so that it survives a reload and a sign-in. Never a secret: forms hold none.
 */
export class Drafts {
  readonly #drafts = new Map<string, unknown>();
  readonly #storage: Storage;
  #owner: string | undefined;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Reads what `keep` has stored, if it was stored for the same person. */
  restore(owner: string): void {
    this.#owner = owner;
    const kept = keptJson(this.#storage, storageKey);
    this.#storage.removeItem(storageKey);
    if (!isKept(kept) || kept.owner !== owner) return;
    for (const [key, draft] of kept.drafts) this.#drafts.set(key, draft);
  }

  keep(): void {
    // The page is left before what is stored was read: it stays.
    if (this.#owner === undefined) return;
    if (this.#drafts.size === 0) this.#storage.removeItem(storageKey);
    else keepJson(this.#storage, storageKey, { owner: this.#owner, drafts: [...this.#drafts] });
  }

  get(key: string): unknown {
    return this.#drafts.get(key);
  }

  set(key: string, draft: unknown): void {
    this.#drafts.set(key, draft);
  }

  forget(key: string): void {
    this.#drafts.delete(key);
  }
}

interface Kept {
  readonly owner: string;
  readonly drafts: readonly (readonly [string, unknown])[];
}

/** What the drafts are is looked at by their forms. */
function isKept(kept: unknown): kept is Kept {
  const { owner, drafts } = (kept ?? {}) as Partial<Record<string, unknown>>;
  return typeof owner === 'string' && Array.isArray(drafts) && drafts.every(Array.isArray);
}
