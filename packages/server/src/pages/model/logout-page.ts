import type { FormPage, ShownClient, ShownOwner } from './form-page.ts';

/** Asks whether to log out. Posts `auth_state`. */
export interface LogoutPage extends FormPage {
  readonly page: 'logout';
  readonly owner: ShownOwner;
  /** The client that asks for the logout; absent if the user does. */
  readonly client?: ShownClient | undefined;
}

export interface LoggedOutPage {
  readonly page: 'logged-out';
  /** The address to log in again. */
  readonly accountUrl?: string | undefined;
  /** The client that asked for the logout, and its address. */
  readonly client?: (ShownClient & { readonly url: string }) | undefined;
  /** The address to which the browser goes on by itself, after the frames. */
  readonly goOn?: { readonly url: string } | undefined;
  /** URLs of clients that the page loads in frames, so that they end their sessions. */
  readonly frames?: readonly string[];
}
