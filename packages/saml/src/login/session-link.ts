import { sha256 } from '@watchword/protocol';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { SamlOptions } from '../options/read-options.ts';
import type { Assertion, NameId } from '../response/assertion.ts';

/** Links a login session of this server to the session at the identity provider. */
export interface LinkedSession {
  /** Entity id. */
  readonly provider: string;
  readonly nameId: NameId;
  readonly sessionIndex: string | undefined;
  /** Epoch milliseconds of the login at this server. */
  readonly since: number;
}

/** `undefined` when the identity provider has no single logout, or this server has no signing key. */
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

/** The key by which all sessions of a user of one identity provider are found. */
export function linkKey(provider: string, nameId: string): string {
  return `saml ${sha256(JSON.stringify([provider, nameId])).toString('base64url')}`;
}
