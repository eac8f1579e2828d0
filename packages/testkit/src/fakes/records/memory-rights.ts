import {
  type AdministrativeRight,
  type EndedRights,
  isSameIdentity,
  type RightStore,
} from '@watchword/protocol';

interface MemoryRights extends RightStore {
  /** What a transaction can change. */
  readonly maps: readonly Map<unknown, unknown>[];
}

export function memoryRights(): MemoryRights {
  const rights = new Map<string, AdministrativeRight>();
  const keyOf = ({ clientRecordId, right }: AdministrativeRight) =>
    `${String(clientRecordId).padStart(20)} ${right}`;
  const select = (selection: EndedRights) =>
    [...rights.entries()]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .filter(([, right]) => isSelected(right, selection))
      .map(([, right]) => right);
  return {
    maps: [rights],
    list: async (clientRecordId) => select({ clientRecordId }),
    isGiver: async (giver) => select({ giver }).length > 0,
    async give(right) {
      const isNew = !rights.has(keyOf(right));
      if (isNew) rights.set(keyOf(right), right);
      return isNew;
    },
    async end(selection) {
      const ended = select(selection);
      for (const right of ended) rights.delete(keyOf(right));
      return ended;
    },
  };
}

function isSelected({ clientRecordId, right, giver }: AdministrativeRight, wanted: EndedRights): boolean {
  return (
    clientRecordId === (wanted.clientRecordId ?? clientRecordId) &&
    right === (wanted.right ?? right) &&
    giver.identityProvider === (wanted.identityProvider ?? giver.identityProvider) &&
    (wanted.giver === undefined || isSameIdentity(giver, wanted.giver))
  );
}
