import type { AuditEvent, AuditEventQuery, AuditedRecordType } from '@watchword/admin-client';

type TypeTexts = { readonly singular: string; readonly plural: string };

export const typeTexts: Readonly<Record<AuditedRecordType, TypeTexts>> = {
  resourceServer: { singular: 'resource server', plural: 'Resource servers' },
  client: { singular: 'client', plural: 'Clients' },
  accessToken: { singular: 'token of', plural: 'Tokens' },
  resourceOwner: { singular: 'resource owner', plural: 'Resource owners' },
  account: { singular: 'account', plural: 'Accounts' },
  identityProvider: { singular: 'identity provider', plural: 'Identity providers' },
  loginSession: { singular: 'login of', plural: 'Logins' },
  grant: { singular: 'access for', plural: 'Grants' },
  database: { singular: 'database from', plural: 'Databases' },
};

const actionTexts: Readonly<Record<AuditEvent['action'], string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  rotateSecret: 'new secret',
  revokeTokens: 'tokens revoked',
  revokeGrants: 'access ended',
  changePassword: 'new password',
  resetPassword: 'password reset',
  login: 'logged in',
  logout: 'logged out',
  grant: 'granted',
  withdraw: 'withdrawn',
  restore: 'restored',
};

/** The filters of the list: changes of all records, changes of records of one type, or logins and grants of users. */
export const selections = [
  { value: '', label: 'Changes' },
  { value: 'logins', label: 'Logins and grants' },
  { value: 'everything', label: 'Everything' },
  ...Object.entries(typeTexts)
    .filter(([type]) => type !== 'loginSession')
    .map(([value, { plural }]) => ({ value, label: plural })),
];

/** The filter for one of the {@link selections}. */
export function filterFor(selection: string): Pick<AuditEventQuery, 'kind' | 'recordType'> {
  if (selection === 'everything') return {};
  if (selection === 'logins') return { kind: 'logins' };
  return { kind: 'changes', recordType: (selection || undefined) as AuditedRecordType | undefined };
}

// A server that was updated while this page is open may know more.
const everyType: Readonly<Record<string, TypeTexts | undefined>> = typeTexts;
const everyAction: Readonly<Record<string, string | undefined>> = actionTexts;

export function typeText(type: AuditedRecordType): string {
  return everyType[type]?.singular ?? type;
}

export function actionText(action: AuditEvent['action']): string {
  return everyAction[action] ?? action;
}

/** Where the actor came from, when it is not the usual way. */
export function actorText({ actorAuthority }: Pick<AuditEvent, 'actorAuthority'>): string {
  if (actorAuthority === 'cli') return 'at the command line';
  if (actorAuthority === 'system') return 'the server itself';
  return actorAuthority.startsWith('client:') ? 'a client' : `from ${actorAuthority}`;
}
