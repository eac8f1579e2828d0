import { readAuthenticatorData, signedOctets } from './authenticator-data.ts';
import type { AskedCeremony, Passkey, UsedPasskey } from './ceremony.ts';
import { checkClientData } from './client-data.ts';
import { PasskeyError } from './passkey-error.ts';
import { isSignature, keyFromStored } from './public-key.ts';
import { type BrowserResponse, octets, readResponse } from './response.ts';

/** An answer to `requestOptions`. Nothing of it is proved before {@link verifyAuthentication}. */
export interface PresentedPasskey {
  /** The credential id, by which the caller finds the passkey. */
  readonly id: string;
  /** The user handle, base64url: whose passkey it is, as the authenticator says. */
  readonly userHandle: string | undefined;
  readonly answer: BrowserResponse;
}

/** @param text `PublicKeyCredential.toJSON` as JSON @throws PasskeyError */
export function readAuthentication(text: string): PresentedPasskey {
  const answer = readResponse(text);
  const { userHandle = null } = answer.response;
  if (userHandle !== null) octets(answer.response, 'userHandle', 64);
  return { id: answer.id, userHandle: userHandle === null ? undefined : String(userHandle), answer };
}

/** The passkey that the caller found by its credential id, and the handle of its user. */
export interface StoredPasskey extends Omit<Passkey, 'isBackupEligible' | 'isBackedUp' | 'transports'> {
  /** `undefined`: another product registered it and did not keep it, so that its first login here says it. */
  readonly isBackupEligible: boolean | undefined;
  /** base64url */
  readonly userHandle: string;
}

export interface AskedAuthentication extends AskedCeremony {
  /** The credential ids that were asked for. Absent: any passkey, and the answer names its user. */
  readonly allowed?: readonly string[];
}

/**
 * Whether the answer is one of the passkey, to this request (WebAuthn Level 3 §7.2). The caller stores what is returned, refuses a
 * challenge that was answered, and lets the counter grow only from the one that it read.
 *
 * @throws PasskeyError
 */
export async function verifyAuthentication(
  { id, userHandle, answer }: PresentedPasskey,
  stored: StoredPasskey,
  asked: AskedAuthentication,
): Promise<UsedPasskey> {
  const { allowed } = asked;
  if (id !== stored.id || allowed?.includes(id) === false) {
    throw new PasskeyError('credential', 'expected a passkey that was asked for, got another one');
  }
  // A security key that a user chose by its id can leave the user out.
  if (userHandle === undefined ? allowed === undefined : userHandle !== stored.userHandle) {
    throw new PasskeyError('user', 'expected the user of the passkey');
  }
  checkClientData(answer.clientData, 'webauthn.get', asked);
  const authData = octets(answer.response, 'authenticatorData', 4096);
  const data = await readAuthenticatorData(authData, asked.relyingParty.id);
  if (data.credential !== undefined) throw new PasskeyError('form', 'expected no new credential in a login');
  const { isBackupEligible, isBackedUp } = data;
  if (isBackupEligible !== (stored.isBackupEligible ?? isBackupEligible)) {
    throw new PasskeyError('backup', 'expected the flag BE as it was at the registration');
  }
  const signature = octets(answer.response, 'signature', 1024);
  const key = { algorithm: stored.algorithm, key: keyFromStored(stored.publicKey) };
  if (!isSignature(signature, signedOctets(authData, answer.clientData), key)) {
    throw new PasskeyError('signature', 'expected a signature of the passkey');
  }
  checkCounter(data.counter, stored.counter);
  return { counter: data.counter, isBackupEligible, isBackedUp };
}

/** A counter that does not grow can mean that the authenticator was copied (§6.1.1). */
function checkCounter(counter: number, before: number): void {
  if ((counter === 0 && before === 0) || counter > before) return;
  throw new PasskeyError('counter', `expected a signature counter above ${before}, got ${counter}`);
}
