import type { BrandingStore, StoredBranding } from '@watchword/protocol';

interface MemoryBranding extends BrandingStore {
  /** What a transaction can change. */
  readonly maps: readonly Map<unknown, unknown>[];
}

export function memoryBranding(): MemoryBranding {
  const stored = new Map<string, StoredBranding>();
  let revision = 0;
  const put: BrandingStore['putDraft'] = async (id, branding, modificationDate) => {
    revision += 1;
    stored.set(id, { branding, modificationDate, revision });
  };
  return {
    maps: [stored],
    revision: async () => stored.get('shown')?.revision ?? 0,
    find: async () => stored.get('shown'),
    findDraft: async (id) => (id === 'shown' ? undefined : stored.get(id)),
    put: (branding, time) => put('shown', branding, time),
    putDraft: put,
    async removeDrafts(time) {
      for (const [id, { modificationDate }] of stored) {
        if (id !== 'shown' && modificationDate < time) stored.delete(id);
      }
    },
  };
}
