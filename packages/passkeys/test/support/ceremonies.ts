import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Authenticator, type AuthenticatorOptions, type Forgery } from '@watchword/testkit/authenticator';
import {
  creationOptions,
  PasskeyError,
  readAuthentication,
  requestOptions,
  verifyAuthentication,
  verifyRegistration,
} from '../../src/index.ts';

export const origin = 'https://login.example.org';
export const relyingParty = { id: 'example.org', origin };
export const user = {
  handle: Buffer.from('0190-emma').toString('base64url'),
  name: 'emma',
  displayName: 'Emma',
};

export function newChallenge(): string {
  return randomBytes(32).toString('base64url');
}

/** A registration whose answer is forged. */
export async function register(forgery?: Forgery, authenticator = new Authenticator()) {
  const asked = { relyingParty, challenge: newChallenge() };
  const options = creationOptions({ ...asked, name: 'Example', user, known: [] });
  return verifyRegistration(authenticator.create(options, origin, forgery), asked);
}

export interface Login {
  readonly forgery?: Forgery;
  readonly authenticator?: AuthenticatorOptions;
  readonly stored?: Readonly<Record<string, unknown>>;
  readonly allowed?: readonly string[];
  readonly challenge?: string;
}

/** A login whose answer is forged, with a passkey that was registered before. */
export async function logIn({ forgery, authenticator: options, stored, allowed, challenge }: Login = {}) {
  const authenticator = new Authenticator(options);
  const passkey = await register({}, authenticator);
  const asked = { relyingParty, challenge: newChallenge(), ...(allowed && { allowed }) };
  const text = authenticator.get(
    requestOptions({ relyingParty, challenge: asked.challenge }),
    origin,
    forgery,
  );
  const known = { ...passkey, userHandle: user.handle, ...stored };
  return verifyAuthentication(readAuthentication(text), known, { ...asked, ...(challenge && { challenge }) });
}

export async function refusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt;
  } catch (error) {
    assert.ok(error instanceof PasskeyError, `expected a PasskeyError, got ${error}`);
    assert.match(error.message, /^expected /);
    return error.check;
  }
  return assert.fail('expected a refusal, the answer was accepted');
}
