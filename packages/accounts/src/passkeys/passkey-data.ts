import type { Passkey, StoredPasskey, UsedPasskey } from '@watchword/passkeys';
import { type Account, accountIdentityProvider, type Credential } from '@watchword/protocol';

/** A passkey of which it can be unknown whether it can be on several devices. */
export type ImportedPasskey = Omit<Passkey, 'isBackupEligible'> & Pick<StoredPasskey, 'isBackupEligible'>;

/** What a credential keeps of a passkey, as JSON. Nothing of it is secret. */
type PasskeyData = Omit<ImportedPasskey, 'id' | 'counter'> &
  Pick<StoredPasskey, 'userHandle'> & {
    /** Of a passkey that was imported: another product has chosen its user handle. */
    readonly accountId?: string | undefined;
  };

/** What a credential of a new passkey has. @param accountId where the user handle does not say it */
export function passkeyFields(
  { id, counter, ...passkey }: ImportedPasskey,
  userHandle: string,
  accountId?: string,
): Pick<Credential, 'handle' | 'counter' | 'data'> {
  return { handle: id, counter, data: dataOf({ ...passkey, userHandle, accountId }) };
}

/** The passkey of a credential of the kind `passkey`. */
export function storedPasskey({ handle = '', counter, data }: Credential): ImportedPasskey & PasskeyData {
  const read: PasskeyData = { isBackupEligible: undefined, ...JSON.parse(data) };
  return { ...read, id: handle, counter };
}

/** The data after a login; `undefined` if they stay. */
export function dataAfter(
  { isBackupEligible, isBackedUp }: UsedPasskey,
  { data }: Credential,
): string | undefined {
  const before: PasskeyData = JSON.parse(data);
  if (before.isBackupEligible === isBackupEligible && before.isBackedUp === isBackedUp) return undefined;
  return dataOf({ ...before, isBackupEligible, isBackedUp });
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
