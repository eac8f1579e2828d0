import type { AppliedConfiguration, ConfigurationStore } from '@watchword/protocol';

interface MemoryConfigurations extends ConfigurationStore {
  /** What a transaction can change. */
  readonly maps: readonly Map<unknown, unknown>[];
}

export function memoryConfigurations(): MemoryConfigurations {
  const applied = new Map<string, AppliedConfiguration>();
  return {
    maps: [applied],
    list: async () => [...applied.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    put: async (configuration) =>
      void applied.set(configuration.name, { ...configuration, isRestored: false }),
    remove: async (name) => void applied.delete(name),
  };
}
