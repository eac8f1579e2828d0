import type { FormPage, ShownOwner } from './form-page.ts';

/** Asks for a new password, twice. Posts `auth_state`, `new_password` and `new_password_again`. */
export interface PasswordPage extends FormPage {
  readonly page: 'password';
  readonly owner: ShownOwner;
  /** Of the new password. */
  readonly leastCharacters: number;
  /** The form also posts `code`, a recovery code. */
  readonly asksCode?: boolean;
  /** The account page, if a user who is logged in replaces the password; then the form also posts `password`. */
  readonly accountUrl?: string | undefined;
  /** Whether the box `end_grants` is ticked, which is there beside `accountUrl`. */
  readonly endsGrants?: boolean;
  /** The user has no password yet, so the form posts neither `password` nor `end_grants`. */
  readonly isFirst?: boolean;
}

/** On which a person makes an account who is invited, or has confirmed `address`. Posts `auth_state`, `username`, `display_name`, `new_password` and `new_password_again`. */
export interface InvitationPage extends FormPage {
  readonly page: 'invitation';
  /** As they were typed. */
  readonly username: string;
  readonly displayName: string;
  readonly address?: string | undefined;
  /** The page of a passkey follows, so the form posts no passwords. */
  readonly asksPasskey?: boolean;
}

/** Reports that the password is set, the passkey is added, or the account is made. */
export interface PasswordSetPage {
  readonly page: 'password-set';
  /** The account was made with it. */
  readonly isNew?: boolean;
  /** Of a passkey: recovery codes, which are shown once. */
  readonly codes?: readonly string[];
  /** Whose they are. */
  readonly owner?: Pick<ShownOwner, 'name'>;
  /** The address to log in. */
  readonly accountUrl: string;
  /** A form that goes on with the login in which the password was missing. */
  readonly goOn?: { readonly action: string; readonly authState: string } | undefined;
}
