import { hash } from 'node:crypto';
import type { SigningKey } from '@watchword/protocol';
import { LRUCache } from 'lru-cache';

// 120 bytes each: a digest, and a reference to the key.
const mostTexts = 20_000;

/**
 * The texts whose signatures were verified, by their SHA-256, with the key that verified each. It holds no text and no claim. Only
 * texts that the server signed get in, so made-up ones displace nothing.
 */
export class VerifiedTexts {
  // Made for the first text, because a cache has its whole memory from the start.
  #keys: LRUCache<string, SigningKey> | undefined;
  readonly #most: number;

  constructor(most: number = mostTexts) {
    this.#most = most;
  }

  keyOf(text: string): SigningKey | undefined {
    return this.#keys?.get(digest(text));
  }

  add(text: string, key: SigningKey): void {
    this.#keys ??= new LRUCache({ max: this.#most });
    this.#keys.set(digest(text), key);
  }
}

function digest(text: string): string {
  return hash('sha256', text, 'latin1');
}
