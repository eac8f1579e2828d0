import { type AttestedCredential, readAuthenticatorData, signedOctets } from './authenticator-data.ts';
import { decodedFirst } from './cbor.ts';
import type { AskedCeremony, Passkey } from './ceremony.ts';
import { checkClientData } from './client-data.ts';
import { PasskeyError } from './passkey-error.ts';
import { type CheckedKey, isSignature, readPublicKey, storedForm } from './public-key.ts';
import { type BrowserResponse, type Members, octets, readResponse } from './response.ts';

/**
 * The new passkey that a browser answers with (WebAuthn Level 3 §7.1). The caller refuses a credential id that is stored already, and a
 * challenge that was answered.
 *
 * @param text `PublicKeyCredential.toJSON` as JSON
 * @throws PasskeyError
 */
export async function verifyRegistration(text: string, asked: AskedCeremony): Promise<Passkey> {
  const answer = readResponse(text);
  checkClientData(answer.clientData, 'webauthn.create', asked);
  const attestation = await readAttestation(octets(answer.response, 'attestationObject', 16_384));
  const data = await readAuthenticatorData(attestation.authData, asked.relyingParty.id);
  const { counter, isBackupEligible, isBackedUp, credential } = data;
  if (credential === undefined)
    throw new PasskeyError('credential', 'expected the flag AT: a new credential');
  checkCredential(credential, answer);
  const key = readPublicKey(credential.publicKey);
  checkStatement(attestation, answer.clientData, key);
  return {
    id: answer.id,
    publicKey: storedForm(key.key),
    algorithm: key.algorithm,
    counter,
    isBackupEligible,
    isBackedUp,
    transports: transportsOf(answer.response),
  };
}

interface Attestation {
  readonly format: string;
  readonly statement: ReadonlyMap<unknown, unknown>;
  readonly authData: Uint8Array;
}

async function readAttestation(data: Uint8Array): Promise<Attestation> {
  const [value, rest] = await decodedFirst(data);
  const found: ReadonlyMap<unknown, unknown> = value instanceof Map ? value : new Map();
  const [format, statement, authData] = [found.get('fmt'), found.get('attStmt'), found.get('authData')];
  if (typeof format !== 'string' || !(statement instanceof Map) || !(authData instanceof Uint8Array)) {
    throw new PasskeyError('form', 'expected an attestation object with fmt, attStmt and authData');
  }
  if (rest > 0) throw new PasskeyError('form', `expected an attestation object, got ${rest} octets after it`);
  return { format, statement, authData };
}

function checkCredential({ id }: AttestedCredential, answer: BrowserResponse): void {
  if (Buffer.from(id).toString('base64url') !== answer.id) {
    throw new PasskeyError(
      'credential',
      'expected one credential id in the answer and its authenticator data',
    );
  }
  const { credProps } = answer.extensions as { credProps?: { rk?: unknown } | null };
  if (credProps?.rk === false) {
    throw new PasskeyError('discoverable', 'expected a passkey that a login finds without a name');
  }
}

/**
 * The server asks for no attestation, and browsers remove it, but for that of a key about itself (§5.1.3). What vouches for the model of
 * an authenticator is not read, because nothing depends on it.
 */
function checkStatement(
  { format, statement, authData }: Attestation,
  clientData: Uint8Array,
  key: CheckedKey,
): void {
  if (format === 'none' && statement.size > 0) {
    throw new PasskeyError('attestation', 'expected an empty statement of the format none');
  }
  if (format !== 'packed' || statement.has('x5c')) return;
  const signature = statement.get('sig');
  const signed = signedOctets(authData, clientData);
  if (
    statement.get('alg') !== key.algorithm ||
    !(signature instanceof Uint8Array) ||
    !isSignature(signature, signed, key)
  ) {
    throw new PasskeyError('attestation', 'expected a signature of the new key about itself');
  }
}

/** Browsers can know others than the specification has; they get them back as they are. */
function transportsOf({ transports = [] }: Members): readonly string[] {
  if (!Array.isArray(transports)) throw new PasskeyError('form', 'expected a list as transports');
  const isName = (each: unknown) => typeof each === 'string' && /^[a-z][a-z-]{0,31}$/.test(each);
  return [...new Set<string>(transports.filter(isName))].slice(0, 8);
}
