import {
  type AuditEvent,
  accountIdentityProvider,
  type Clock,
  identityOf,
  loginEvent,
  type Random,
  type ResourceOwner,
  subjectInEvent,
} from '@watchword/protocol';

export interface OwnEventDependencies {
  readonly clock: Clock;
  readonly random: Random;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
}

/**
 * The audit event of what somebody of any identity provider does with what is their own. Where somebody else can have the name, `after` has
 * the subject too.
 *
 * @param states without secrets
 */
export function ownEvent(
  action: 'addFactor' | 'renameFactor' | 'removeFactor' | 'useRecoveryCode' | 'downloadData',
  { owner, source }: { readonly owner: ResourceOwner; readonly source: string },
  { before, after }: Pick<Partial<AuditEvent>, 'before' | 'after'>,
  deps: OwnEventDependencies,
): AuditEvent {
  const identity = identityOf(owner);
  const recordType = owner.identityProvider === accountIdentityProvider ? 'account' : 'resourceOwner';
  const record = { recordType, recordId: identity.name, recordName: identity.name } as const;
  const ofSubject = subjectInEvent(deps.subjectSecret, owner);
  const known = ofSubject === undefined ? after : { ...after, ...ofSubject };
  const done = { action, ...record, before, after: known };
  return loginEvent(identity, { clientId: undefined, source }, done, deps);
}
