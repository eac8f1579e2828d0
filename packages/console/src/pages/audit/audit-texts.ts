import type { AuditEvent, AuditedRecordType } from '@watchword/admin-client';

export const typeTexts: Readonly<
  Record<AuditedRecordType, { readonly singular: string; readonly plural: string }>
> = {
  resourceServer: { singular: 'resource server', plural: 'Resource servers' },
  client: { singular: 'client', plural: 'Clients' },
  accessToken: { singular: 'token of', plural: 'Tokens' },
  resourceOwner: { singular: 'resource owner', plural: 'Resource owners' },
  account: { singular: 'account', plural: 'Accounts' },
  identityProvider: { singular: 'identity provider', plural: 'Identity providers' },
};

const actions: Readonly<Record<AuditEvent['action'], string>> = {
  create: 'created',
  update: 'changed',
  delete: 'deleted',
  rotateSecret: 'new secret',
  revokeTokens: 'tokens revoked',
  changePassword: 'new password',
};

export function actionText(action: AuditEvent['action']): string {
  return actions[action] ?? action;
}

/** Where the actor came from, when it is not the usual way. */
export function actorText({ actorAuthority }: Pick<AuditEvent, 'actorAuthority'>): string {
  if (actorAuthority === 'cli') return 'at the command line';
  if (actorAuthority === 'system') return 'the server itself';
  return actorAuthority.startsWith('client:') ? 'a client' : `from ${actorAuthority}`;
}
