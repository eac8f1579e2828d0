import { subjectInEvent } from '../../keys/subject.ts';
import type { AuditEvent, LoginAction } from '../../model/records/audit-event.ts';
import type { Client } from '../../model/records/client.ts';
import type { LoginSession } from '../../model/records/login-session.ts';
import { type Identity, identityOf } from '../../model/resource-owner.ts';
import type { Random } from '../../ports/crypto/random.ts';
import type { Clock } from '../../ports/system/clock.ts';
import { timeOrderedId } from '../../rules/time-ordered-id.ts';

/** No event names a client by its id alone: the record can be gone when the event is read. */
type ActingClient =
  | { readonly clientId: undefined; readonly clientName?: undefined }
  | { readonly clientId: string; readonly clientName: string };

/** The client and the network address from which an event came. */
export type EventOrigin = ActingClient & Pick<AuditEvent, 'source'>;

/** The client of an event; `undefined` for the pages of the server itself. */
export function actingClient(client: Pick<Client, 'clientId' | 'clientName'> | undefined): ActingClient {
  return client === undefined
    ? { clientId: undefined }
    : { clientId: client.clientId, clientName: client.clientName };
}

type Done = Pick<AuditEvent, 'recordType' | 'recordId' | 'recordName'> & {
  readonly action:
    | LoginAction
    | 'changePassword'
    | 'create'
    | 'update'
    | 'delete'
    | 'linkProvider'
    | 'unlinkProvider'
    | 'addFactor'
    | 'renameFactor'
    | 'removeFactor'
    | 'useRecoveryCode'
    | 'downloadData'
    | 'endRight';
  readonly before?: AuditEvent['before'];
  readonly after?: AuditEvent['after'];
};

/** The audit event of an action of a user on their own session, account, grants or consents. */
export function loginEvent(
  owner: Identity,
  { clientId, clientName, source }: EventOrigin,
  done: Done,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): AuditEvent {
  const time = clock.now();
  const { action, recordType, recordId, recordName, before, after } = done;
  return {
    id: timeOrderedId(time, random),
    time,
    actor: owner,
    clientId,
    ...(clientName !== undefined && { clientName }),
    source,
    action,
    recordType,
    recordId,
    recordName,
    owner,
    before,
    after,
  };
}

/**
 * `login`: another login in the same browser. `account`: the account changed during the login. `identityProvider`: the owner
 * logged out at the identity provider.
 */
export type EndedBy = 'login' | 'account' | 'identityProvider';

/** The audit event of the beginning or the end of a session. */
export function sessionEvent(
  action: 'login' | 'logout',
  { id, owner }: LoginSession,
  origin: EventOrigin,
  deps: Parameters<typeof loginEvent>[3] & { readonly subjectSecret: Uint8Array },
  by?: EndedBy,
): AuditEvent {
  const record = { recordType: 'loginSession', recordId: id, recordName: owner.principal.name } as const;
  const ofSubject = subjectInEvent(deps.subjectSecret, owner);
  const after = by === undefined ? ofSubject : { endedBy: by, ...ofSubject };
  return loginEvent(identityOf(owner), origin, { action, ...record, after }, deps);
}
