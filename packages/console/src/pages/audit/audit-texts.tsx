import type { AuditEvent, AuditEventQuery, AuditedRecordType } from '@watchword/admin-client';
import type { ReactNode } from 'react';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';

const types: readonly AuditedRecordType[] = [
  'resourceServer',
  'client',
  'accessToken',
  'resourceOwner',
  'account',
  'invitation',
  'confirmation',
  'identityProvider',
  'loginSession',
  'grant',
  'signingKey',
  'branding',
  'database',
];

export const actions: readonly AuditEvent['action'][] = [
  'create',
  'update',
  'delete',
  'rotateSecret',
  'addSecret',
  'changeSecret',
  'removeSecret',
  'revokeTokens',
  'revokeGrants',
  'changePassword',
  'resetPassword',
  'linkProvider',
  'unlinkProvider',
  'addFactor',
  'renameFactor',
  'removeFactor',
  'useRecoveryCode',
  'downloadData',
  'login',
  'logout',
  'grant',
  'withdraw',
  'giveRight',
  'endRight',
  'restore',
];

/** The filters of the list: changes of all records, changes of records of one type, or logins and grants of users. */
export function selections() {
  return [
    { value: '', label: t('audit.show.changes') },
    { value: 'logins', label: t('audit.show.logins') },
    { value: 'everything', label: t('audit.show.everything') },
    ...types
      .filter((type) => type !== 'loginSession')
      .map((type) => ({ value: type, label: t(`audit.show.${type}`) })),
  ];
}

/** The filter for one of the {@link selections}. */
export function filterFor(selection: string): Pick<AuditEventQuery, 'kind' | 'recordType'> {
  if (selection === 'everything') return {};
  if (selection === 'logins') return { kind: 'logins' };
  return { kind: 'changes', recordType: (selection || undefined) as AuditedRecordType | undefined };
}

/** The record of an event: "client night-job". A newer server may know more types. */
export function recordText(type: AuditedRecordType, name: ReactNode): ReactNode {
  return types.includes(type) ? (
    rich(`audit.record.${type}`, { name })
  ) : (
    <>
      {type} {name}
    </>
  );
}

/** What was done. A newer server may know more actions. */
export function actionText(action: AuditEvent['action']): string {
  return actions.includes(action) ? t(`audit.action.${action}`) : action;
}

/** Where the actor came from, when it is not the usual way. */
export function actorText({ actorAuthority }: Pick<AuditEvent, 'actorAuthority'>): string {
  if (actorAuthority === 'cli') return t('audit.actor.cli');
  if (actorAuthority === 'system') return t('owner.system');
  return actorAuthority.startsWith('client:')
    ? t('owner.client')
    : t('audit.actor.from', { identityProvider: actorAuthority });
}

/** Whether the client of the event is one by which people administer. */
export function isOwnClient({ clientId }: Pick<AuditEvent, 'clientId'>): boolean {
  return clientId?.startsWith('authorization-server-admin-') === true;
}
