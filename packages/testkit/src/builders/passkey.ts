import { passkeyFields } from '@watchword/accounts';
import { creationOptions, type RelyingParty, verifyRegistration } from '@watchword/passkeys';
import type { Credential } from '@watchword/protocol';
import type { Authenticator } from '../authenticator.ts';

/** The credential of the passkey of an authenticator, after a registration. @param userHandle base64url */
export async function buildPasskey(
  authenticator: Authenticator,
  relyingParty: RelyingParty,
  { userHandle, ...owned }: Pick<Credential, 'subject' | 'owner'> & { readonly userHandle: string },
): Promise<Credential> {
  const asked = { relyingParty, challenge: 'AAAA' };
  const user = { handle: userHandle, name: owned.owner.name, displayName: owned.owner.name };
  const options = creationOptions({ ...asked, name: 'Watchword', user, known: [] });
  const passkey = await verifyRegistration(authenticator.create(options, relyingParty.origin), asked);
  return {
    ...owned,
    ...passkeyFields(passkey, userHandle),
    id: `passkey ${passkey.id}`,
    kind: 'passkey',
    name: 'Phone',
    creationDate: Date.UTC(2026, 0, 1),
    lastUsed: 0,
  };
}
