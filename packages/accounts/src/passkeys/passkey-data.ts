import type { Passkey, StoredPasskey } from '@watchword/passkeys';
import { type Account, accountIdentityProvider, type Credential } from '@watchword/protocol';

/** What a credential keeps of a passkey, as JSON. Nothing of it is secret. */
type PasskeyData = Omit<Passkey, 'id' | 'counter'> & Pick<StoredPasskey, 'userHandle'>;

/** What a credential of a new passkey has. */
export function passkeyFields(
  { id, counter, ...passkey }: Passkey,
  userHandle: string,
): Pick<Credential, 'handle' | 'counter' | 'data'> {
  return { handle: id, counter, data: dataOf({ ...passkey, userHandle }) };
}

/** The passkey of a credential of the kind `passkey`. */
export function storedPasskey({ handle = '', counter, data }: Credential): Passkey & StoredPasskey {
  return { ...(JSON.parse(data) as PasskeyData), id: handle, counter };
}

export function backedUpNow({ data }: Credential, isBackedUp: boolean): string {
  return dataOf({ ...(JSON.parse(data) as PasskeyData), isBackedUp });
}

function dataOf(data: PasskeyData): string {
  return JSON.stringify(data);
}

/** The user handle of a local account, base64url: browsers give it back, and never show it. */
export function userHandleOf({ id }: Pick<Account, 'id'>): string {
  return Buffer.from(id).toString('base64url');
}

/** The id of the local account whose passkey it is; `undefined` for that of a person of another identity provider. */
export function accountOfPasskey(credential: Credential): string | undefined {
  if (credential.owner.identityProvider !== accountIdentityProvider) return undefined;
  return Buffer.from(storedPasskey(credential).userHandle, 'base64url').toString();
}
