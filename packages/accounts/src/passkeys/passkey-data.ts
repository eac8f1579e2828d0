import type { Passkey, StoredPasskey } from '@watchword/passkeys';
import { type Account, accountIdentityProvider, type Credential } from '@watchword/protocol';

/** What a credential keeps of a passkey, as JSON. Nothing of it is secret. */
type PasskeyData = Omit<Passkey, 'id' | 'counter'> &
  Pick<StoredPasskey, 'userHandle'> & {
    /** Of a passkey that was imported: another product has chosen its user handle. */
    readonly accountId?: string | undefined;
  };

/** What a credential of a new passkey has. @param accountId where the user handle does not say it */
export function passkeyFields(
  { id, counter, ...passkey }: Passkey,
  userHandle: string,
  accountId?: string,
): Pick<Credential, 'handle' | 'counter' | 'data'> {
  return { handle: id, counter, data: dataOf({ ...passkey, userHandle, accountId }) };
}

/** The passkey of a credential of the kind `passkey`. */
export function storedPasskey({ handle = '', counter, data }: Credential): Passkey & PasskeyData {
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
  const { accountId, userHandle } = storedPasskey(credential);
  return accountId ?? Buffer.from(userHandle, 'base64url').toString();
}
