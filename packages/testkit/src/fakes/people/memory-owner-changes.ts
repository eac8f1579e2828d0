import { type ChangeCount, nodeClockTolerance, type OwnerChangeStore } from '@watchword/protocol';

export function memoryOwnerChanges(counts: Map<string, ChangeCount>): OwnerChangeStore {
  return {
    async count({ identityProvider, name }, now, duration) {
      const key = JSON.stringify([identityProvider, name]);
      const before = counts.get(key);
      const goesOn =
        before !== undefined && before.since <= now + nodeClockTolerance && before.since > now - duration;
      const count = goesOn
        ? { changes: before.changes + 1, since: before.since }
        : { changes: 1, since: now };
      counts.set(key, count);
      return count;
    },
  };
}
