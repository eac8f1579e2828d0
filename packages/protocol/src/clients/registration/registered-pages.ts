import { linkProblems } from '../../model/fields/problems.ts';
import type { Client } from '../../model/records/client.ts';
import { isWebAddress } from '../../model/redirect-uri.ts';

// OpenID Connect Core §3.3.
const hybridTypes = ['code id_token', 'code token', 'code id_token token'] as const;

/** Whether a client that registers itself gets the hybrid flow: it asks for it, has a secret or keys, and every redirect URI is one of the web. */
export function getsHybrid(
  responseTypes: readonly string[],
  redirectUris: readonly string[],
  confidential: boolean,
): boolean {
  const isAsked = responseTypes.some((type) => hybridTypes.some((each) => inOrder(each) === inOrder(type)));
  return isAsked && confidential && redirectUris.every(isWebAddress);
}

function inOrder(type: string): string {
  return type.split(' ').sort().join(' ');
}

/** The grant types and response types of a client (OpenID Connect Dynamic Client Registration §2). */
export function registeredFlows({
  allowedHybrid,
  useRefreshTokens,
}: Pick<Client, 'allowedHybrid' | 'useRefreshTokens'>) {
  return {
    grant_types: [
      'authorization_code',
      ...(allowedHybrid ? ['implicit'] : []),
      ...(useRefreshTokens ? ['refresh_token'] : []),
    ],
    response_types: ['code', ...(allowedHybrid ? hybridTypes : [])],
  };
}

/**
 * The address of a picture or of a page of a client; empty where there is none. Nobody knows who registers: a page of another host could
 * be that of a bank (OpenID Connect Dynamic Client Registration §9.2).
 */
export function ownPage(uri: string | undefined, redirectUris: readonly string[]): string {
  return uri !== undefined && isOwnPage(uri, redirectUris) ? uri : '';
}

/** Whether the page has the host of a redirect URI, so that it is as much the client's as the answers to its users are. */
export function isOwnPage(uri: string, redirectUris: readonly string[]): boolean {
  if ([...linkProblems(uri)].length > 0) return false;
  const host = URL.parse(uri)?.host;
  return (
    host !== undefined && redirectUris.some((each) => isWebAddress(each) && URL.parse(each)?.host === host)
  );
}

/** What is registered of its pages, under the names of the RFC. */
export function registeredPages({
  thumbNailUrl,
  policyUri,
  tosUri,
}: Pick<Client, 'thumbNailUrl' | 'policyUri' | 'tosUri'>) {
  return {
    ...(thumbNailUrl !== '' && { logo_uri: thumbNailUrl }),
    ...(policyUri !== '' && { policy_uri: policyUri }),
    ...(tosUri !== '' && { tos_uri: tosUri }),
  };
}
