import { createHash } from 'node:crypto';
import type { ModuleServices } from '@watchword/protocol';
import type { Assertion } from './assertion.ts';

/** A login that an identity provider vouched for, before it is known whether it was asked for in this browser. */
export interface AcceptedLogin {
  readonly assertion: Assertion;
  /** Id of the AuthnRequest that it answers. */
  readonly inResponseTo: string;
}

// From the answer to the POST to the request that follows it at once.
const lifetime = 120_000;

/** Leaves a login in the database and resolves with a receipt, by which it can be picked up once. */
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
    throw new Error('the random numbers repeat themselves');
  }
  return receipt;
}

/** `undefined` when it was picked up before, is too old, or never was. */
export async function collectLogin(
  receipt: string,
  { oneTime, clock }: ModuleServices,
): Promise<AcceptedLogin | undefined> {
  const value = await oneTime.take(keyOf(receipt), clock.now());
  if (value === undefined) return undefined;
  const { attributes, assertion, inResponseTo } = JSON.parse(value);
  return { assertion: { ...assertion, attributes: new Map(attributes) }, inResponseTo };
}

/** The database has the digest only: who reads it cannot pick up anything. */
function keyOf(receipt: string): string {
  return `saml login ${createHash('sha256').update(receipt).digest('base64url')}`;
}
