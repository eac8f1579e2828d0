import type { OneTimeStore } from '@watchword/protocol';

export function memoryOneTime(): OneTimeStore {
  const rows = new Map<string, { readonly value: string; readonly expires: number; isTaken: boolean }>();
  return {
    async put(key, value, expires) {
      if (rows.has(key)) return false;
      rows.set(key, { value, expires, isTaken: false });
      return true;
    },
    async take(key, now) {
      const row = rows.get(key);
      if (row === undefined || row.isTaken || row.expires <= now) return undefined;
      row.isTaken = true;
      return row.value;
    },
  };
}
