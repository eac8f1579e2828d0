/** The notes of people, in memory. */
export interface Notes {
  of(owner: string): readonly string[];
  add(owner: string, text: string): void;
  removeAll(owner: string): number;
}

export function createNotes(): Notes {
  const notes = new Map<string, readonly string[]>();
  const of = (owner: string) => notes.get(owner) ?? [];
  return {
    of,
    add(owner, text) {
      notes.set(owner, [...of(owner), text].slice(-100));
    },
    removeAll(owner) {
      const { length } = of(owner);
      notes.delete(owner);
      return length;
    },
  };
}
