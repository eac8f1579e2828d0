import { createHash } from 'node:crypto';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { SamlOptions } from '../options/read-options.ts';
import type { Assertion, NameId } from '../response/assertion.ts';

/** What ties a login session here to the one at the identity provider. */
export interface LinkedSession {
  /** Entity id. */
  readonly provider: string;
  readonly nameId: NameId;
  readonly sessionIndex: string | undefined;
  /** Epoch milliseconds: when the login here was. */
  readonly since: number;
}

/** `undefined` where there is nothing to be ended elsewhere, or no key to ask for it with. */
export function sessionLink(
  { nameId, sessionIndex }: Assertion,
  { entityId, logout }: IdentityProvider,
  { signing }: Pick<SamlOptions, 'signing'>,
  now: number,
): { readonly key: string; readonly data: string } | undefined {
  if (nameId === undefined || logout === undefined || signing === undefined) return undefined;
  const linked: LinkedSession = { provider: entityId, nameId, sessionIndex, since: now };
  return { key: linkKey(entityId, nameId.value), data: JSON.stringify(linked) };
}

/** By which all sessions of somebody at one identity provider are found. */
export function linkKey(provider: string, nameId: string): string {
  return `saml ${createHash('sha256')
    .update(JSON.stringify([provider, nameId]))
    .digest('base64url')}`;
}
