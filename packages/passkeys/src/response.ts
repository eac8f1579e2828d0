import { PasskeyError } from './passkey-error.ts';

/** An answer with an RSA key of 8,192 bits and all extensions is far shorter. In characters. */
const maxResponse = 32_768;

/** Octets of a credential id (WebAuthn Level 3 §5.8.3). */
const maxCredentialId = 1023;

/** The members of `PublicKeyCredential.toJSON` that both ceremonies have. */
export interface BrowserResponse {
  readonly id: string;
  readonly clientData: Uint8Array<ArrayBuffer>;
  readonly response: Members;
  readonly extensions: Members;
}

export type Members = Readonly<Record<string, unknown>>;

/** @param text as a form brought it @throws PasskeyError */
export function readResponse(text: string): BrowserResponse {
  if (text.length > maxResponse) {
    throw new PasskeyError('size', `expected at most ${maxResponse} characters, got ${text.length}`);
  }
  const credential = members(parsed(text), 'the answer');
  if (credential.type !== 'public-key') {
    throw new PasskeyError('form', 'expected a credential of the type public-key');
  }
  const response = members(credential.response, 'response');
  const { clientExtensionResults = {} } = credential;
  const rawId = octets(credential, 'rawId', maxCredentialId);
  const id = Buffer.from(rawId).toString('base64url');
  if (credential.id !== id) throw new PasskeyError('credential', 'expected one value in id and rawId');
  return {
    id,
    clientData: octets(response, 'clientDataJSON', 4096),
    response,
    extensions: members(clientExtensionResults, 'clientExtensionResults'),
  };
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PasskeyError('form', 'expected JSON');
  }
}

export function members(value: unknown, name: string): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
  throw new PasskeyError('form', `expected an object as ${name}`);
}

/** A member in base64url without padding. @param most octets */
export function octets(values: Members, name: string, most: number): Uint8Array<ArrayBuffer> {
  const text = values[name];
  if (typeof text !== 'string' || text === '' || !/^[\w-]+$/.test(text) || text.length % 4 === 1) {
    throw new PasskeyError('form', `expected base64url as ${name}`);
  }
  const found = Uint8Array.from(Buffer.from(text, 'base64url'));
  if (found.length <= most) return found;
  throw new PasskeyError('size', `expected at most ${most} octets as ${name}, got ${found.length}`);
}
