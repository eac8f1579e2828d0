import {
  type AuditEvent,
  accountIdentityProvider,
  type Browser,
  type Clock,
  type Credential,
  type Identity,
  type Mail,
  type ResourceOwner,
  type TransactionStores,
} from '@watchword/protocol';
import { type OwnEventDependencies, ownEvent } from '../own-event.ts';
import type { MailDependencies } from '../passwords/password-pages.ts';

interface MailOfFactorDependencies {
  readonly clock: Clock;
  /** Absent where no mail is set up. */
  readonly mail?: Pick<MailDependencies, 'send'> | undefined;
}

export interface FactorEventDependencies extends OwnEventDependencies, MailOfFactorDependencies {}

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

type MailStores = Pick<TransactionStores, 'accounts' | 'outgoingMail'>;

/** Tells the owner of a local account. The address of another person is the affair of the identity provider. */
export async function mailOfFactor(
  make: MakeMail,
  { identityProvider, name: username }: Identity,
  { language }: Pick<Browser, 'language'>,
  { mail, clock }: MailOfFactorDependencies,
  { accounts, outgoingMail }: MailStores,
): Promise<void> {
  if (mail === undefined || identityProvider !== accountIdentityProvider) return;
  const account = await accounts.find(username);
  if (account === undefined || account.email === '') return;
  const { email: to, username: name, locale } = account;
  const made = make({ to, language: locale || language }, { name, time: clock.now() });
  await mail.send(made, { outgoingMail });
}

/** Tells the owner of a local account of a factor that is there, or gone, from now on. */
export async function tellOfFactor(
  kind: 'new_factor' | 'factor_removed',
  factor: Pick<Credential, 'kind' | 'name'>,
  owner: Identity,
  browser: Pick<Browser, 'language'>,
  deps: MailOfFactorDependencies,
  stores: MailStores,
): Promise<void> {
  const mailed = { kind: factor.kind, label: factor.name };
  await mailOfFactor(
    (to, of) => ({ kind, ...to, values: { ...of, factor: mailed } }),
    owner,
    browser,
    deps,
    stores,
  );
}
