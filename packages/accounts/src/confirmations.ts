import {
  type AuditEvent,
  accountIdentityProvider,
  type Browser,
  type Clock,
  type Identity,
  loginEvent,
  type PersonLink,
  type PersonLinkPurpose,
  type Random,
  systemIdentityProvider,
} from '@watchword/protocol';

/** What a person confirms with a mailed link or its code. */
export type ConfirmationPurpose = Exclude<PersonLinkPurpose, 'invitation'>;

/** The visitor is nobody yet: the server has made the link. */
const server: Identity = { identityProvider: systemIdentityProvider, name: 'watchword' };

/**
 * A pending confirmation in the audit log. Of the address of somebody who signs up it has the domain alone, because anybody can type it.
 *
 * @param username of the account; `undefined` if there is none
 */
export function auditedConfirmation({ id, purpose, address, expires }: PersonLink, username?: string) {
  const domain = address.slice(address.indexOf('@'));
  const owner =
    username === undefined ? server : { identityProvider: accountIdentityProvider, name: username };
  return {
    record: { recordType: 'confirmation', recordId: id, recordName: username ?? (domain || id) },
    owner,
    state: { purpose, ...(purpose === 'change_address' && { address }), expires },
  } as const;
}

/** The audit event of a link that somebody asks for. @param asked with the username, if there is an account, and who asks, if it is known */
export function askedEvent(
  link: PersonLink,
  asked: { readonly username?: string | undefined; readonly isLoggedIn?: boolean },
  { source }: Browser,
  deps: { readonly clock: Clock; readonly random: Random },
): AuditEvent {
  const { record, owner, state } = auditedConfirmation(link, asked.username);
  const done = { action: 'create', ...record, after: state } as const;
  const event = loginEvent(owner, { clientId: undefined, source }, done, deps);
  return asked.isLoggedIn === true ? event : { ...event, actor: server };
}
