import type { AttemptCount, LoginAttemptStore } from '@watchword/protocol';

export function memoryLoginAttempts(): LoginAttemptStore {
  const counts = new Map<string, AttemptCount>();
  return {
    async change(keys, decide) {
      const decision = decide(keys.map((key) => counts.get(key)));
      keys.forEach((key, index) => {
        const count = decision.counts[index];
        if (count === undefined) counts.delete(key);
        else counts.set(key, count);
      });
      return decision.answer;
    },
  };
}
