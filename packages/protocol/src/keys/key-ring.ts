import type { Random } from '../ports/crypto/random.ts';
import type { SealingKey, SealingKeyStore } from '../ports/stores/key-stores.ts';
import type { Clock } from '../ports/system/clock.ts';
import { openWith, sealWith } from './aead.ts';
import { RecentTexts } from './recent-texts.ts';

/** Seals values that browsers carry, so that they can be neither read nor changed. */
export interface Sealer {
  /** @param purpose the purpose of the text, which cannot be opened for another purpose */
  seal(purpose: string, value: unknown): string;
  /** `undefined` for any text that no node of this server sealed for that purpose. */
  open(purpose: string, sealed: string): Promise<unknown>;
  /** Seals a text unchanged. The result is shorter than that of {@link seal}, which writes JSON. */
  sealText(purpose: string, text: string): string;
  openText(purpose: string, sealed: string): Promise<string | undefined>;
}

export interface KeyRingDependencies {
  readonly sealingKeys: SealingKeyStore;
  readonly clock: Clock;
  readonly random: Random;
}

// A key seals for one day, far below the 2^32 random nonces that AES-GCM allows, and opens for one day more.
const sealsFor = 86_400_000;
const opensFor = 2 * sealsFor;
// A new key is read by all nodes before the first node seals with it.
const sealsAfter = 300_000;
// A text with an unknown key can come from a node that has just made a key, or from any client. So the database is read
// at most once in this interval.
const reloadInterval = 1000;
const textPattern = /^([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]+)$/;

export function newSealingKey(random: Random, creationDate: number): SealingKey {
  const bytes = Buffer.alloc(38);
  random.fill(bytes);
  return { id: bytes.toString('base64url', 32), key: bytes.subarray(0, 32), creationDate };
}

/** The sealing keys of all nodes, in memory. */
export class KeyRing implements Sealer {
  readonly #deps: KeyRingDependencies;
  readonly #keys = new Map<string, Uint8Array>();
  readonly #recent = new RecentTexts();
  #current: SealingKey | undefined;
  #reloadedAt = Number.NEGATIVE_INFINITY;
  #reloading: Promise<void> | undefined;
  /** Numbers of reads: the last that began, and the last whose keys are in memory. */
  #begun = 0;
  #taken = 0;

  private constructor(deps: KeyRingDependencies) {
    this.#deps = deps;
  }

  static async open(deps: KeyRingDependencies): Promise<KeyRing> {
    const ring = new KeyRing(deps);
    await ring.rotate();
    return ring;
  }

  /** For a tool beside the server: makes no key. `seal` throws if no node has made one yet. */
  static async openExisting(deps: KeyRingDependencies): Promise<KeyRing> {
    const ring = new KeyRing(deps);
    await ring.read();
    return ring;
  }

  /** Reads the keys of all nodes; to be called every minute, and when they were renewed. */
  async read(): Promise<void> {
    await this.#load();
  }

  /** Makes a new key when the newest key is a day old; to be called regularly, by one node at a time. */
  async rotate(): Promise<void> {
    const { sealingKeys, clock, random } = this.#deps;
    const [newest] = await this.#load();
    const now = clock.now();
    if (newest !== undefined && Math.abs(now - newest.creationDate) < sealsFor) return;
    await sealingKeys.rotate(newSealingKey(random, now), now - opensFor);
    await this.#load();
  }

  seal(purpose: string, value: unknown): string {
    return this.sealText(purpose, JSON.stringify(value));
  }

  async open(purpose: string, sealed: string): Promise<unknown> {
    const text = await this.openText(purpose, sealed);
    return text === undefined ? undefined : JSON.parse(text);
  }

  sealText(purpose: string, text: string): string {
    if (this.#current === undefined) throw new Error('there is no sealing key');
    const { id: keyId, key } = this.#current;
    const sealed = `${keyId}.${sealWith(key, text, purpose, this.#deps.random)}`;
    this.#recent.add({ keyId, purpose, text, sealed });
    return sealed;
  }

  async openText(purpose: string, text: string): Promise<string | undefined> {
    const recent = this.#recent.take(text);
    if (recent?.purpose === purpose && this.#keys.has(recent.keyId)) return recent.text;
    const [, id = '', sealed = ''] = textPattern.exec(text) ?? [];
    if (id === '') return undefined;
    if (!this.#keys.has(id)) await this.#reload();
    const key = this.#keys.get(id);
    return key && openWith(key, sealed, purpose);
  }

  async #reload(): Promise<void> {
    const now = this.#deps.clock.now();
    if (Math.abs(now - this.#reloadedAt) < reloadInterval) return this.#reloading;
    this.#reloadedAt = now;
    this.#reloading = this.read();
    await this.#reloading;
  }

  /** @returns all keys, the newest first */
  async #load(): Promise<SealingKey[]> {
    const { sealingKeys, clock } = this.#deps;
    this.#begun += 1;
    const own = this.#begun;
    const keys = await sealingKeys.list();
    // A slow read must not bring back a key that was renewed meanwhile.
    if (own < this.#taken) return keys;
    this.#taken = own;
    this.#keys.clear();
    for (const { id, key } of keys) this.#keys.set(id, key);
    const now = clock.now();
    // If all keys are new, the oldest of them is known to the most nodes.
    this.#current =
      keys.find(({ creationDate }) => Math.abs(now - creationDate) >= sealsAfter) ?? keys.at(-1);
    return keys;
  }
}
