import { type ModuleServices, sha256 } from '@watchword/protocol';
import type { Assertion } from './assertion.ts';

/** A verified assertion. It is not yet known whether this browser sent the request. */
export interface AcceptedLogin {
  readonly assertion: Assertion;
  /** ID of the AuthnRequest that it answers. */
  readonly inResponseTo: string;
}

// Milliseconds. The browser follows the redirect after the POST at once.
const lifetime = 120_000;

/** Stores a login and resolves with a receipt. The receipt returns the login once. */
export async function depositLogin(
  login: AcceptedLogin,
  { oneTime, random, clock }: ModuleServices,
): Promise<string> {
  const bytes = Buffer.alloc(32);
  random.fill(bytes);
  const receipt = bytes.toString('base64url');
  const { attributes, ...assertion } = login.assertion;
  const value = JSON.stringify({ ...login, assertion, attributes: [...attributes] });
  if (!(await oneTime.put(keyOf(receipt), value, clock.now() + lifetime))) {
    throw new Error('the random generator returned the same bytes twice');
  }
  return receipt;
}

/** `undefined` when the receipt was used before, has expired or is unknown. */
export async function collectLogin(
  receipt: string,
  { oneTime, clock }: ModuleServices,
): Promise<AcceptedLogin | undefined> {
  const value = await oneTime.take(keyOf(receipt), clock.now());
  if (value === undefined) return undefined;
  const { attributes, assertion, inResponseTo } = JSON.parse(value);
  return { assertion: { ...assertion, attributes: new Map(attributes) }, inResponseTo };
}

/** The database has only the digest, so a reader of the database cannot use the receipt. */
function keyOf(receipt: string): string {
  return `saml login ${sha256(receipt).toString('base64url')}`;
}
