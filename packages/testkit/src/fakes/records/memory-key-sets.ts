import type { KeyOwner, KeySet, KeySetAnswer, KeySets } from '@watchword/protocol';

/** Keys at URLs, or of issuers. A URL has two sets when the second is the newer one, which is read again once. */
export class MemoryKeySets implements KeySets<KeyOwner | string> {
  readonly sets = new Map<string, readonly KeySet[]>();

  async read(owner: KeyOwner | string): Promise<KeySetAnswer> {
    return this.sets.get(nameOf(owner))?.[0] ?? { problem: 'has no document' };
  }

  async readAgain(owner: KeyOwner | string): Promise<KeySetAnswer | undefined> {
    const [, newer] = this.sets.get(nameOf(owner)) ?? [];
    if (newer !== undefined) this.sets.set(nameOf(owner), [newer]);
    return newer;
  }
}

function nameOf(owner: KeyOwner | string): string {
  return typeof owner === 'string' ? owner : owner.jwksUri;
}
