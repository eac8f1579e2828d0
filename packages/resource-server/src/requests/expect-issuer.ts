import { AuthorizationServerUnavailable } from '../errors.ts';
import { describe } from '../options/kinds.ts';
import type { Settings } from '../options/options.ts';

/** What says which issuer is expected, if any. */
export type IssuerSettings = Pick<Settings, 'issuer' | 'server'>;

/**
 * @param from what states the issuer
 * @throws AuthorizationServerUnavailable `other_issuer`
 */
export function expectIssuer({ issuer, server }: IssuerSettings, came: unknown, from: string): void {
  if (issuer === undefined || came === issuer) return;
  const option = 'url' in server && server.url === issuer ? 'url' : 'issuer';
  // RFC 8414 §2: issuers are compared as they are.
  const detail = `expected the issuer ${issuer} of the option ${option}, letter by letter, and ${from} states ${describe(came)}`;
  throw new AuthorizationServerUnavailable('other_issuer', { detail });
}
