import { registeredOpenidScopes } from '../openid-scope.ts';
import { signingAlgorithms } from '../signing-algorithm.ts';
import type { FieldTable } from './field.ts';
import type { ChoiceKind } from './kind.ts';
import { redirectUriProblems, redirectUrisKind } from './redirect-uris.ts';
import { httpsUriProblems, logoutUriProblems, uriKind } from './uris.ts';

const algorithmKind = {
  type: 'choice',
  values: ['', ...signingAlgorithms],
} as const satisfies ChoiceKind;

/** The fields of a client that logs users in by OpenID Connect. */
export const openidClientFields = {
  openidScopes: {
    kind: { type: 'texts', values: registeredOpenidScopes },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Claims of the user',
    summary: 'the scopes of OpenID Connect that it can get, beside openid',
    details:
      'Every client with a redirect URI can ask for openid. Each of these scopes needs an entry here: profile, email, address and phone give claims of the user (OpenID Connect Core section 5.4), groups gives the groups of the user. offline_access is accepted here and has no effect: a client with useRefreshTokens can ask for it (section 11). A request for another one is no error: the scope is left out of what is granted.',
    option: '--openid-scope <scope>',
  },
  claimsInIdToken: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Claims in ID tokens',
    summary: 'its ID tokens have the claims of the granted scopes too, and not the userinfo endpoint alone',
    details:
      'For an application that reads the ID token alone: without it, such an application gets no name, e-mail address or groups (OpenID Connect Core section 5.4). The setting openid.claimsInIdToken does the same for all clients.',
  },
  postLogoutRedirectUris: {
    kind: redirectUrisKind,
    setBy: 'owner',
    check: redirectUriProblems,
    isKeptWhenLeftOut: true,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Post-logout redirect URIs',
    summary: 'the addresses to which users can return after a logout',
    details:
      'They are compared character by character. The rules of redirect URIs hold for them (OpenID Connect RP-Initiated Logout section 3.1).',
    option: '--post-logout-redirect-uri <uri>',
  },
  subjectType: {
    kind: { type: 'choice', values: ['public', 'pairwise'] },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Subject type',
    summary: 'whether it knows users by the same sub as other clients (public) or by its own (pairwise)',
    details:
      'Clients with pairwise subjects cannot find out by sub that they have the same user. Clients of one sector, which is the host of the redirect URIs or of sectorIdentifierUri, share the sub. A change gives every user another sub at the client (OpenID Connect Core section 8).',
  },
  sectorIdentifierUri: {
    kind: uriKind,
    setBy: 'owner',
    check: httpsUriProblems,
    isKeptWhenLeftOut: true,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Sector identifier URI',
    summary: 'an https URL of a JSON array that names all its redirect URIs, or empty',
    details:
      'Its host is the sector of pairwise subjects. A client with pairwise subjects and redirect URIs of several hosts needs it (OpenID Connect Core section 8.1). The server requests it when it or the redirect URIs are set.',
    option: '--sector-identifier-uri <url>',
  },
  idTokenSignedResponseAlg: {
    kind: algorithmKind,
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Signature of ID tokens',
    summary: 'the algorithm that signs its ID tokens; empty = the default algorithm of the server',
  },
  userinfoSignedResponseAlg: {
    kind: algorithmKind,
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Signature of userinfo',
    summary: 'the algorithm that signs the answers of the userinfo endpoint; empty = JSON without signature',
  },
  authorizationSignedResponseAlg: {
    kind: algorithmKind,
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Signature of authorization responses',
    summary:
      'the algorithm that signs authorization responses for which a request asks (response_mode=jwt); empty = the default algorithm of the server',
  },
  backchannelLogoutUri: {
    kind: uriKind,
    setBy: 'owner',
    check: logoutUriProblems,
    isKeptWhenLeftOut: true,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Back-channel logout URI',
    summary: 'the address to which the server sends a logout token when a session of a user ends, or empty',
    details:
      'https, or http on a loopback host, without fragment (OpenID Connect Back-Channel Logout section 2.2).',
    option: '--backchannel-logout-uri <url>',
  },
  backchannelLogoutSessionRequired: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Back-channel logout names the session',
    summary: 'its logout tokens must have the claim sid',
  },
  frontchannelLogoutUri: {
    kind: uriKind,
    setBy: 'owner',
    check: logoutUriProblems,
    isKeptWhenLeftOut: true,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Front-channel logout URI',
    summary: "the address that the user's browser loads in a frame at logout, or empty",
    details:
      'Its scheme, host and port must be those of a redirect URI (OpenID Connect Front-Channel Logout section 2). It is used only if the operator has switched front-channel logout on.',
    option: '--frontchannel-logout-uri <url>',
  },
  frontchannelLogoutSessionRequired: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Front-channel logout names the session',
    summary: 'its front-channel logout URI must get the parameters iss and sid',
  },
} as const satisfies FieldTable;
