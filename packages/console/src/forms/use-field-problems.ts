import { useState } from 'react';
import type { Problems } from '../rules/problems.ts';

/** The problems that are shown: of the fields that the user has left, and after an attempt to save those of all fields. */
export function useFieldProblems(found: Problems) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [isTried, setTried] = useState(false);
  const [rejected, setRejected] = useState<Problems>({});
  return {
    of: (name: string): readonly string[] => [
      ...(isTried || left.has(name) ? (found[name] ?? []) : []),
      ...(rejected[name] ?? []),
    ],
    leave: (name: string) => setLeft((before) => new Set(before).add(name)),
    showAll: () => setTried(true),
    /** Problems that the server has found. */
    reject: setRejected,
    /** A changed field is no longer the one that the server rejected. */
    change: (changes: object) =>
      setRejected((before) =>
        Object.fromEntries(Object.entries(before).filter(([name]) => !Object.hasOwn(changes, name))),
      ),
    clear() {
      setTried(false);
      setLeft(new Set());
      setRejected({});
    },
  };
}
