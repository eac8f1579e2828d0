import type { FormPage, ShownOwner } from './form-page.ts';

/** Other identity providers with which the user logs in to the account. Forms post `auth_state` and `authenticator` to `url`, also `unlink` to remove a link. */
export interface ShownLinks {
  readonly url: string;
  readonly linked: readonly ShownLink[];
  readonly offered: readonly Pick<ShownLink, 'authenticator' | 'label'>[];
}

interface ShownLink {
  /** The value that the form posts. */
  readonly authenticator: string;
  /** Key of the locale files, or the text itself. */
  readonly label: string;
  /** The name of the user there. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds; 0 if it was never used. */
  readonly lastUsed: number;
}

/** Asks whether a person of another identity provider may log in to the account. Posts `auth_state`. */
export interface LinkPage extends FormPage {
  readonly page: 'link';
  readonly owner: ShownOwner;
  /** Key of the locale files, or the text itself. */
  readonly provider: string;
  /** The name of the person there. */
  readonly name: string;
  readonly accountUrl: string;
}
