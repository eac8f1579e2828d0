import {
  type AuditEvent,
  actingClient,
  type Clock,
  type Identity,
  type Random,
  type RecordState,
  timeOrderedId,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';

/** An action on a record; {@link auditEvents} adds the actor and the time. */
export type AuditedChange = Pick<
  AuditEvent,
  'action' | 'recordType' | 'recordId' | 'recordName' | 'owner'
> & {
  readonly before?: RecordState;
  readonly after?: RecordState;
};

/** Makes the audit events of the changes of a caller. */
export function auditEvents(
  caller: Caller,
  changes: readonly AuditedChange[],
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): AuditEvent[] {
  const time = clock.now();
  const actor = caller.identity;
  const { client, source } = caller;
  const made = changes.filter((change) => change.action !== 'update' || !isEmpty(change.after));
  // Their order is that of the changes, although all have the same time.
  const ids = made.map(() => timeOrderedId(time, random)).toSorted();
  return made.map(({ before, after, ...change }, index) => ({
    id: ids[index] ?? timeOrderedId(time, random),
    time,
    actor,
    ...actingClient(client),
    source,
    ...change,
    before,
    after,
  }));
}

function isEmpty(state: RecordState = {}): boolean {
  return Object.keys(state).length === 0;
}

export function difference(before: RecordState, after: RecordState) {
  const changed = Object.keys(after).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  );
  const pick = (from: RecordState) => Object.fromEntries(changed.map((name) => [name, from[name]]));
  return { before: pick(before), after: pick(after) };
}

export function ofIdentity(identity: Identity) {
  return {
    recordType: 'resourceOwner',
    recordId: identity.name,
    recordName: identity.name,
    owner: identity,
  } as const;
}
