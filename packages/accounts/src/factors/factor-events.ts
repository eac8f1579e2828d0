import {
  type AuditEvent,
  accountIdentityProvider,
  type Browser,
  type Credential,
  type Mail,
  type ResourceOwner,
  type TransactionStores,
} from '@watchword/protocol';
import { type OwnEventDependencies, ownEvent } from '../own-event.ts';
import type { MailDependencies } from '../passwords/password-pages.ts';

export interface FactorEventDependencies extends OwnEventDependencies {
  readonly mail?: Pick<MailDependencies, 'send'> | undefined;
}

type FactorAction = 'addFactor' | 'removeFactor' | 'useRecoveryCode';

/** The audit event of what people do with their own factors. @param state without secrets */
export function factorEvent(
  action: FactorAction,
  by: { readonly owner: ResourceOwner; readonly source: string },
  state: Readonly<Record<string, unknown>>,
  deps: FactorEventDependencies,
): AuditEvent {
  return ownEvent(action, by, action === 'removeFactor' ? { before: state } : { after: state }, deps);
}

/** What the audit log says of a factor. */
export function factorState({ kind, name }: Pick<Credential, 'kind' | 'name'>) {
  return name === '' ? { kind } : { kind, name };
}

/** @param to whom @param of the account @returns the mail */
type MakeMail = (
  to: Pick<Mail, 'to' | 'language'>,
  of: { readonly name: string; readonly time: number },
) => Mail;

/** Tells the owner of a local account. The address of another person is the affair of the identity provider. */
export async function mailOfFactor(
  make: MakeMail,
  owner: ResourceOwner,
  { language }: Browser,
  { mail, clock }: FactorEventDependencies,
  stores: Pick<TransactionStores, 'accounts' | 'outgoingMail'>,
): Promise<void> {
  if (mail === undefined || owner.identityProvider !== accountIdentityProvider) return;
  const account = await stores.accounts.find(owner.principal.name);
  if (account === undefined || account.email === '') return;
  const { email: to, username: name, locale } = account;
  const made = make({ to, language: locale || language }, { name, time: clock.now() });
  await mail.send(made, stores);
}
