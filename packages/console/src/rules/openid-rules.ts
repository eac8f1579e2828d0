import type { ClientFields } from '@watchword/admin-client';
import { logoutUri, redirectUri, sectorIdentifierUri } from './field-rules.ts';
import { problem } from './problems.ts';

/** What is wrong with the fields of OpenID Connect of a client. */
export function openidProblems({
  backchannelLogoutUri,
  frontchannelLogoutUri,
  postLogoutRedirectUris,
  redirectUris,
  ...fields
}: ClientFields) {
  return {
    postLogoutRedirectUris: postLogoutRedirectUris.map(redirectUri),
    sectorIdentifierUri: [
      sectorIdentifierUri(fields.sectorIdentifierUri),
      fields.sectorIdentifierUri === '' && fields.subjectType === 'pairwise' && hasSeveralHosts(redirectUris)
        ? problem('rule.sectorRequired')
        : undefined,
    ],
    backchannelLogoutUri: [logoutUri(backchannelLogoutUri)],
    frontchannelLogoutUri: [
      logoutUri(frontchannelLogoutUri) ??
        (frontchannelLogoutUri === '' || hasOrigin(redirectUris, frontchannelLogoutUri)
          ? undefined
          : problem('rule.frontchannelOrigin')),
    ],
  };
}

/** OpenID Connect Core §8.1. Only a host with https can be a sector. */
function hasSeveralHosts(uris: readonly string[]): boolean {
  const hosts = uris.map(parsed).map((uri) => (uri?.protocol === 'https:' ? uri.hostname : uri?.protocol));
  return new Set(hosts).size > 1;
}

/** OpenID Connect Front-Channel Logout §2. */
function hasOrigin(uris: readonly string[], uri: string): boolean {
  return uris.some((each) => parsed(each)?.origin === parsed(uri)?.origin);
}

function parsed(uri: string): URL | undefined {
  return URL.canParse(uri) ? new URL(uri) : undefined;
}
