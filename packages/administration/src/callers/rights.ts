import type { RightReader } from '@watchword/protocol';

/** What a client that acts for itself can administer. */
export const rights = [
  'records:read',
  'records:write',
  'records:all:read',
  'records:all:write',
  'accounts:read',
  'accounts:write',
  'grants:read',
  'grants:write',
  'audit:read',
  'errors:read',
  'keys:read',
  'keys:write',
] as const;

/** A subject, and whether it is seen or also changed. */
export type Right = (typeof rights)[number];

export function isRight(text: string): text is Right {
  return (rights as readonly string[]).includes(text);
}

/** Those of a client now. A right of a newer release, which this one does not know, gives nothing here. */
export async function heldRights(clientRecordId: number, store: RightReader): Promise<Right[]> {
  return (await store.list(clientRecordId)).map(({ right }) => right).filter(isRight);
}

/** Whether one of the rights includes the wanted one: who changes also sees, and all records include the own ones. */
export function includesRight(held: readonly Right[], wanted: Right): boolean {
  const subject = wanted.replace(/:(?:read|write)$/, '');
  const subjects = subject === 'records' ? ['records', 'records:all'] : [subject];
  const accesses = wanted.endsWith(':read') ? ['read', 'write'] : ['write'];
  return held.some((right) =>
    subjects.some((each) => accesses.some((access) => right === `${each}:${access}`)),
  );
}
