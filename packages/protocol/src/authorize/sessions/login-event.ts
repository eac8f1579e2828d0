import type { AuditEvent, LoginAction } from '../../model/audit-event.ts';
import type { Identity } from '../../model/resource-owner.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import { timeOrderedId } from '../../rules/time-ordered-id.ts';

/** Through which client, and from which network address, a person came. */
export type Coming = Pick<AuditEvent, 'clientId' | 'source'>;

type Done = Pick<AuditEvent, 'recordType' | 'recordId' | 'recordName'> & {
  readonly action: LoginAction;
  readonly after?: AuditEvent['after'];
};

/** The entry of the audit log for what a person did for themselves. */
export function loginEvent(
  owner: Identity,
  { clientId, source }: Coming,
  done: Done,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): AuditEvent {
  const time = clock.now();
  const { action, recordType, recordId, recordName, after } = done;
  return {
    id: timeOrderedId(time, random),
    time,
    actor: owner,
    clientId,
    source,
    action,
    recordType,
    recordId,
    recordName,
    owner,
    before: undefined,
    after,
  };
}
