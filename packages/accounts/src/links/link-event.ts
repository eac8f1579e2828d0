import {
  type AuditEvent,
  accountIdentityProvider,
  type Clock,
  loginEvent,
  type ProvidedIdentity,
  type Random,
} from '@watchword/protocol';

/** The audit event of a link that a person makes or removes. */
export function linkEvent(
  action: 'linkProvider' | 'unlinkProvider',
  username: string,
  { authenticator, identityProvider, name }: ProvidedIdentity,
  source: string,
  deps: { readonly clock: Clock; readonly random: Random },
): AuditEvent {
  const owner = { identityProvider: accountIdentityProvider, name: username };
  const record = { recordType: 'account', recordId: username, recordName: username } as const;
  const event = loginEvent(owner, { clientId: undefined, source }, { action, ...record }, deps);
  const state = { authenticator, identityProvider, name };
  return action === 'linkProvider' ? { ...event, after: state } : { ...event, before: state };
}
