import type { CredentialKind, PasskeyRequest } from '@watchword/protocol';
import type { FormPage, ShownOwner } from './form-page.ts';

/** The second factors of the user, on the account page. */
export interface ShownFactors {
  readonly list: readonly ShownFactor[];
  readonly codesLeft: number;
  /** Only few are left, or none. */
  readonly needsCodes: boolean;
  readonly codesUrl: string;
  readonly totpUrl: string;
  /** Absent where browsers allow no passkeys, as what they are told of those that exist. */
  readonly passkeyUrl?: string;
  readonly accepted?: object;
}

export interface ShownFactor {
  readonly kind: CredentialKind;
  /** `''`: it has none. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds; 0 if it was never used. */
  readonly lastUsed: number;
  /** The page on which it is changed. */
  readonly url: string;
}

/** The key of an app for one-time codes. */
export interface ShownTotpKey {
  readonly uri: string;
  readonly secret: string;
  /** A QR code. */
  readonly picture: { readonly size: number; readonly path: string };
}

/** On which an app for one-time codes is added. Posts `auth_state`, `code` and `name`. */
export interface TotpPage extends FormPage {
  readonly page: 'totp';
  readonly totp: ShownTotpKey;
  /** As it was typed. */
  readonly name: string;
  readonly accountUrl: string;
}

/** On which a passkey is added. Posts `auth_state`, `passkey` and `name`. */
export interface NewPasskeyPage extends FormPage {
  readonly page: 'new-passkey';
  readonly passkey: PasskeyRequest;
  readonly name: string;
  /** Absent before anybody is logged in. */
  readonly accountUrl?: string | undefined;
}

/** Shows recovery codes once, or makes them. Posts `auth_state`, also to `downloadUrl`. */
export interface RecoveryCodesPage extends FormPage {
  readonly page: 'recovery-codes';
  readonly owner: ShownOwner;
  /** Empty: none were made. */
  readonly codes: readonly string[];
  readonly left: number;
  readonly downloadUrl: string;
  readonly accountUrl: string;
}

/** On which a factor gets another name, or is removed. Posts `auth_state`, and `name`, or `remove` with `password`. */
export interface OwnFactorPage extends FormPage {
  readonly page: 'own-factor';
  readonly owner: ShownOwner;
  readonly factor: Omit<ShownFactor, 'url'>;
  readonly isLast: boolean;
  readonly asksPassword: boolean;
  readonly passwordUrl: string;
  readonly accountUrl: string;
}
