import type { HostRule, HostRuleStore } from '@watchword/protocol';

interface MemoryHostRules extends HostRuleStore {
  /** What a transaction can change. */
  readonly maps: readonly Map<unknown, unknown>[];
}

export function memoryHostRules(): MemoryHostRules {
  const rules = new Map<string, HostRule>();
  return {
    maps: [rules],
    list: async () => [...rules.values()].toSorted((a, b) => (a.pattern < b.pattern ? -1 : 1)),
    put: async (rule) => void rules.set(rule.pattern, rule),
    remove: async (pattern) => rules.delete(pattern),
  };
}
