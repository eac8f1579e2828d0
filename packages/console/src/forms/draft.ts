/** What a user has typed over a record, and the state of the record below it. */
export interface Draft<Typed> {
  readonly base: Typed;
  /** Names the state that `base` is of; `undefined` for a record that is new. */
  readonly version: string | undefined;
  /** Only what differs from `base`. */
  readonly changes: Partial<Typed>;
}

/** The current record of the server. */
export interface Stored<Typed> {
  readonly typed: Typed;
  readonly version: string | undefined;
}

/** A field that another user has changed since the typing began. */
export interface ForeignChange {
  readonly name: string;
  readonly before: unknown;
  readonly theirs: unknown;
  /** Whether the draft has changed it too, to something else. */
  readonly isContested: boolean;
  readonly mine: unknown;
}

/** The draft after a change; `undefined` if nothing differs from the record. */
export function draftWith<Typed extends object>(
  draft: Draft<Typed> | undefined,
  stored: Stored<Typed>,
  changes: Partial<Typed>,
): Draft<Typed> | undefined {
  const { base, version } = draft ?? { base: stored.typed, version: stored.version };
  return pruned({ base, version, changes: { ...draft?.changes, ...changes } });
}

/** What another user has changed in the fields of the form; nothing when the record was touched elsewhere alone. */
export function foreignChanges<Typed extends object>(
  { base, version, changes }: Draft<Typed>,
  stored: Stored<Typed>,
): readonly ForeignChange[] {
  if (version === undefined || version === stored.version) return [];
  const mine: Partial<Record<string, unknown>> = changes;
  return Object.entries(base)
    .map(([name, before]) => ({
      name,
      before,
      theirs: (stored.typed as Record<string, unknown>)[name],
      isContested: Object.hasOwn(mine, name),
      mine: mine[name],
    }))
    .filter(({ before, theirs }) => !isSame(before, theirs))
    .filter(({ theirs, isContested, mine }) => !(isContested && isSame(theirs, mine)));
}

/**
 * The draft, applied to the current record. A field that only one side has changed has the value of that side. For fields
 * that both have changed, `winner` names the side whose value is kept.
 */
export function rebased<Typed extends object>(
  draft: Draft<Typed>,
  stored: Stored<Typed>,
  winner: 'mine' | 'theirs',
): Draft<Typed> | undefined {
  const lost = winner === 'mine' ? [] : foreignChanges(draft, stored).map(({ name }) => name);
  const kept = Object.entries(draft.changes).filter(([name]) => !lost.includes(name));
  return pruned({
    base: stored.typed,
    version: stored.version,
    changes: Object.fromEntries(kept) as Partial<Typed>,
  });
}

function pruned<Typed extends object>(draft: Draft<Typed>): Draft<Typed> | undefined {
  const base = draft.base as Record<string, unknown>;
  const differing = Object.entries(draft.changes).filter(([name, value]) => !isSame(value, base[name]));
  if (differing.length === 0) return undefined;
  return { ...draft, changes: Object.fromEntries(differing) as Partial<Typed> };
}

/** Values of forms are texts, flags, and lists and records of such. */
export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether what was kept is a draft; pages of an older server kept others. */
export function isDraft(kept: unknown): kept is Draft<object> {
  return typeof kept === 'object' && kept !== null && 'base' in kept && 'changes' in kept;
}
