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

/** OpenID Connect Core §8.1. */
function hasSeveralHosts(uris: readonly string[]): boolean {
  return new Set(uris.map((uri) => parsed(uri)?.hostname)).size > 1;
}

/** OpenID Connect Front-Channel Logout §2. */
function hasOrigin(uris: readonly string[], uri: string): boolean {
  return uris.some((each) => parsed(each)?.origin === parsed(uri)?.origin);
}

function parsed(uri: string): URL | undefined {
  return URL.canParse(uri) ? new URL(uri) : undefined;
}
