import type { ClientKeySets, KeyOwner, KeySet, KeySetAnswer } from '@watchword/protocol';

/** Keys at URLs. A URL has two sets when the second is the newer one, which is read again once. */
export class MemoryKeySets implements ClientKeySets {
  readonly sets = new Map<string, readonly KeySet[]>();

  async read({ jwksUri }: KeyOwner): Promise<KeySetAnswer> {
    return this.sets.get(jwksUri)?.[0] ?? { problem: 'has no document' };
  }

  async readAgain({ jwksUri }: KeyOwner): Promise<KeySetAnswer | undefined> {
    const [, newer] = this.sets.get(jwksUri) ?? [];
    if (newer !== undefined) this.sets.set(jwksUri, [newer]);
    return newer;
  }
}
