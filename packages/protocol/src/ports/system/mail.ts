import type { CredentialKind } from '../../model/records/credential.ts';
import type { OutgoingMailStore } from '../stores/people/outgoing-mail-store.ts';

/** What a mail of each kind says. Times are epoch milliseconds. */
export interface MailValues {
  /** To the address that is to be confirmed. */
  confirm_address: MailedLink;
  /** To an address for which somebody wants an account, and that has one. `name` is its username. */
  address_taken: { readonly name: string; readonly path: string };
  /** To the former address. `address` is the new one. */
  address_changed: { readonly name: string; readonly address: string; readonly time: number };
  /** To somebody who asks for a new password of an account that has none and gets none by mail. */
  no_password: { readonly name: string; readonly path: string };
  reset_password: MailedLink & { readonly name: string };
  invitation: MailedLink;
  /** `device`: browser and system as the account page names them; empty if they are not known. */
  new_device: { readonly name: string; readonly device: string; readonly time: number };
  new_factor: { readonly name: string; readonly factor: MailedFactor; readonly time: number };
  factor_removed: { readonly name: string; readonly factor: MailedFactor; readonly time: number };
  /** `left`: how many codes are left. */
  recovery_code_used: { readonly name: string; readonly left: number; readonly time: number };
  password_changed: { readonly name: string; readonly time: number };
}

/** A factor as its mail names it. `label`: the name that the person gave it. */
export interface MailedFactor {
  readonly kind: CredentialKind;
  readonly label: string;
}

export interface MailedLink {
  /** Path below the base URL, with its query: `/account?link=…`. The mail has the configured base URL before it, and no other host. */
  readonly path: string;
  /** For a person who has no use for the link, for example on another machine. */
  readonly code?: string;
  readonly expires: number;
}

export type MailKind = keyof MailValues;

/** A mail to one person. */
export type Mail = {
  readonly [Kind in MailKind]: {
    readonly kind: Kind;
    readonly to: string;
    /** BCP 47 tag of the language of the person, if it is known. */
    readonly language?: string | undefined;
    /** The account of which it is of interest alone. It goes with the account; one that tells of a change by somebody stays. */
    readonly accountId?: string | undefined;
    readonly values: MailValues[Kind];
  };
}[MailKind];

/**
 * Stores a mail that is sent later. Called with the stores of a transaction, so that the mail is stored with the change that it tells
 * of, or not at all. No page waits for a mail server.
 */
export type SendMail = (
  mail: Mail,
  stores: { readonly outgoingMail: Pick<OutgoingMailStore, 'add'> },
) => Promise<void>;
