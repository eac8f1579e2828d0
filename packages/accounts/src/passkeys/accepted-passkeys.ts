import type { RelyingParty } from '@watchword/passkeys';
import {
  type AccountStore,
  accountIdentityProvider,
  type Credential,
  displayName,
  type ResourceOwner,
} from '@watchword/protocol';
import { userHandleOf } from './passkey-data.ts';

/** By which browsers know the person; `undefined` for an account that is gone. */
export async function userOf(
  { identityProvider, principal, subject }: ResourceOwner,
  { accounts }: { readonly accounts: Pick<AccountStore, 'find'> },
): Promise<PasskeyUser | undefined> {
  const { name } = principal;
  if (identityProvider !== accountIdentityProvider) {
    return { handle: userHandleOf({ id: subject }), name, displayName: displayName(principal) };
  }
  const account = await accounts.find(name);
  return account && { handle: userHandleOf(account), name, displayName: account.displayName };
}

/** How browsers and authenticators know a person. */
export interface PasskeyUser {
  /** base64url */
  readonly handle: string;
  readonly name: string;
  readonly displayName: string;
}

/** What browsers are told, so that they offer no passkey that was removed, and under the present names (WebAuthn Level 3 §5.1.10). */
export interface AcceptedPasskeys extends Pick<PasskeyUser, 'name' | 'displayName'> {
  readonly rpId: string;
  /** base64url */
  readonly userId: string;
  readonly allAcceptedCredentialIds: readonly string[];
}

/** `undefined` where browsers allow no passkeys. */
export async function acceptedPasskeys(
  owner: ResourceOwner,
  own: readonly Credential[],
  deps: { readonly accounts: Pick<AccountStore, 'find'>; readonly relyingParty: RelyingParty | undefined },
): Promise<AcceptedPasskeys | undefined> {
  const { relyingParty } = deps;
  const user = relyingParty && (await userOf(owner, deps));
  if (user === undefined || relyingParty === undefined) return undefined;
  const allAcceptedCredentialIds = passkeysOf(own).map(({ handle = '' }) => handle);
  const { handle: userId, ...names } = user;
  return { rpId: relyingParty.id, userId, allAcceptedCredentialIds, ...names };
}

export function passkeysOf(own: readonly Credential[]): readonly Credential[] {
  return own.filter(({ kind }) => kind === 'passkey');
}
