import { registeredOpenidScopes } from '../openid-scope.ts';
import { attributeProblems, attributesKind, maxAttributeBytes } from './attributes.ts';
import { clientKeyFields } from './client-keys.ts';
import { describedFields, nameKind } from './described.ts';
import { durationKind, durationProblems } from './duration.ts';
import type { FieldTable } from './field.ts';
import type { TextKind } from './kind.ts';
import { managedByField } from './managed-by.ts';
import { openidClientFields } from './openid-client.ts';
import { otherResourceServerProblems, otherResourceServersKind } from './other-resource-servers.ts';
import { linkProblems, maxTextLength, nameProblems } from './problems.ts';
import { recordIdKind } from './record-id.ts';
import { redirectUriProblems, redirectUrisKind } from './redirect-uris.ts';
import { requestClientFields } from './request-client.ts';
import { scopeProblems, scopesKind } from './scopes.ts';

const linkKind = { type: 'text', maxLength: maxTextLength } as const satisfies TextKind;

const linkNote = 'Until an administrator confirms the client, only if its host is that of a redirect URI.';

const trustNote =
  'Becomes false when a caller who is not an administrator changes a field that an administrator confirmed.';

/** The fields of a client. */
export const clientFields = {
  id: { kind: recordIdKind, setBy: 'server', summary: 'record id' },
  clientId: {
    kind: { type: 'text' },
    setBy: 'server',
    summary: 'its client_id; made from clientName, or chosen, on creation',
  },
  secret: {
    kind: { type: 'text' },
    setBy: 'issued',
    summary: 'its client_secret; returned on creation and rotation only',
    details: 'A public client has no secret.',
  },
  clientName: {
    kind: nameKind,
    setBy: 'owner',
    isRequired: true,
    check: nameProblems,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Name',
    summary: 'its name for users and resource servers',
    option: '--name <text>',
  },
  ...describedFields,
  // Users see them beside the name.
  description: { ...describedFields.description, endsTrust: true },
  thumbNailUrl: { ...describedFields.thumbNailUrl, endsTrust: true },
  policyUri: {
    kind: linkKind,
    setBy: 'owner',
    check: linkProblems,
    isKeptWhenLeftOut: true,
    endsTrust: true,
    label: 'Privacy policy',
    summary: 'an https URL of its privacy policy, to which the consent page links, or empty',
    details: linkNote,
    option: '--policy-uri <url>',
  },
  tosUri: {
    kind: linkKind,
    setBy: 'owner',
    check: linkProblems,
    isKeptWhenLeftOut: true,
    endsTrust: true,
    label: 'Terms of service',
    summary: 'an https URL of its terms of service, to which the consent page links, or empty',
    details: linkNote,
    option: '--tos-uri <url>',
  },
  resourceServerId: {
    kind: recordIdKind,
    setBy: 'server',
    wireName: 'resourceserver_id',
    summary: 'record id of its resource server, its home: the client belongs to the owner of that',
  },
  scopes: {
    kind: scopesKind,
    setBy: 'owner',
    check: scopeProblems,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Scopes',
    summary: 'the scopes of its resource server that it can get',
    option: '--scope <scope>',
  },
  otherResourceServers: {
    kind: otherResourceServersKind,
    setBy: 'owner',
    check: otherResourceServerProblems,
    isKeptWhenLeftOut: true,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Other resource servers',
    summary: 'the other resource servers that it can use, and the scopes that it can get at each',
    details:
      'A request names one by the parameter resource (RFC 8707). Each must be one of the same owner, or open to the client (openToClients, openScopes); administrators can name any.',
    option: '--other-resource-server <key=scopes>',
  },
  redirectUris: {
    kind: redirectUrisKind,
    setBy: 'owner',
    check: redirectUriProblems,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Redirect URIs',
    summary: 'the addresses to which users return',
    details:
      'They are compared character by character, except for the port on a loopback host. Each must be https, http on a loopback host, or have a private-use scheme such as com.example.app.',
    option: '--redirect-uri <uri>',
  },
  confidential: {
    kind: { type: 'flag' },
    default: true,
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Confidential',
    summary: 'it can keep a secret, with which it authenticates',
    details:
      'A public client (false) has no secret, and needs PKCE for its codes. A request that allows the implicit grant and leaves this field out makes the client public; a replacement that leaves it out otherwise keeps the stored value. A client that becomes confidential gets its secret by rotation, and cannot authenticate before.',
    option: '--confidential <bool>',
  },
  ...clientKeyFields,
  allowedClientCredentials: {
    kind: { type: 'flag' },
    setBy: 'owner',
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Client credentials',
    summary: 'it can act for itself (client credentials)',
    details: 'Not for a public client.',
    option: '--allow-client-credentials',
  },
  allowedImplicitGrant: {
    kind: { type: 'flag' },
    setBy: 'owner',
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Implicit grant',
    summary: 'it can use the implicit grant',
    details:
      'For public clients only: confidential must not be true beside it. A client that no longer uses the implicit grant stays public.',
    option: '--allow-implicit-grant',
  },
  allowedHybrid: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Hybrid flow',
    summary:
      'it can use the hybrid flow: the response types code id_token, code token and code id_token token',
    details:
      'For confidential clients only, whose redirect URIs all begin with https and have no loopback host (OpenID Connect Core section 3.3). For old applications that ask for it; response_type=code with PKCE is safer.',
    option: '--allow-hybrid',
  },
  useRefreshTokens: {
    kind: { type: 'flag' },
    setBy: 'owner',
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Refresh tokens',
    summary: 'it gets refresh tokens',
  },
  dpopBoundAccessTokens: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Tokens bound to a key (DPoP)',
    summary: 'it sends a DPoP proof with each token request, so that its access tokens are bound to its key',
    details:
      'A token request without a proof is invalid_dpop_proof (RFC 9449 section 5.2). Any client can send proofs, and then gets such tokens. Not beside allowedImplicitGrant.',
  },
  tlsClientCertificateBoundAccessTokens: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Tokens bound to a certificate (TLS)',
    summary: 'it asks for tokens with a certificate of its own, to which its access tokens are bound',
    details:
      'A trusted proxy names the certificate in the header of the setting clientCertificate.header; a token request without one is invalid_request (RFC 8705 section 3). Not beside allowedImplicitGrant.',
  },
  skipConsent: {
    kind: { type: 'flag' },
    setBy: 'administrator',
    isFixedInBuiltIn: true,
    label: 'Skip consent',
    summary: 'users are not asked for consent',
    details: `If the client is public and the redirect URI has a loopback host or a private-use scheme, users are always asked. Only administrators can set it; the value of another caller is ignored. ${trustNote}`,
  },
  trusted: {
    kind: { type: 'flag' },
    setBy: 'server',
    summary: 'an administrator or the command line on the database created or confirmed it',
    details: `It then gets the errors of its authorization requests without a page in between, and the scopes email, address, phone and groups. Pages of any other client name the user who registered it. ${trustNote}`,
  },
  keepsUserData: {
    kind: { type: 'flag' },
    setBy: 'server',
    summary:
      'it gets email, address, phone and groups without a confirmation, because it was registered before one was needed',
    details: trustNote,
  },
  includePrincipal: {
    kind: { type: 'flag' },
    setBy: 'owner',
    endsTrust: true,
    isFixedInBuiltIn: true,
    label: 'Name the principal in implicit answers',
    summary: 'the answer of the implicit grant names the principal',
    details: 'With pairwise subjects only if the scope profile is granted.',
  },
  expireDuration: {
    kind: durationKind,
    setBy: 'owner',
    check: durationProblems,
    isFixedInBuiltIn: true,
    label: 'Token lifetime',
    summary: 'lifetime of its access tokens in seconds; 0 = no expiry',
    details:
      'Without expiry, expires_in of a token response is 0, which some client libraries read as expired. The setting token.omitZeroExpiresIn leaves it out.',
    option: '--expire-duration <seconds>',
  },
  loginLevel: {
    kind: { type: 'choice', values: ['', 'mfa', 'phr'] },
    setBy: 'administrator',
    isKeptWhenLeftOut: true,
    label: 'Strength of logins',
    summary:
      'how strong the logins of its users must be: mfa (several factors), phr (a passkey), or empty, as the server demands of everybody',
    details:
      'A user whose factors are not enough is asked to add a passkey, or an app for one-time codes where that is enough. A login that does not become as strong is unmet_authentication_requirements. Only administrators can set it; the value of another caller is ignored.',
  },
  ...openidClientFields,
  ...requestClientFields,
  attributes: {
    kind: attributesKind,
    setBy: 'owner',
    check: attributeProblems,
    isFixedInBuiltIn: true,
    label: 'Attributes',
    summary: 'texts by name, read by authentication modules',
    details: `At most ${maxAttributeBytes} bytes together. In a change, null removes a name.`,
    option: '--attribute <name=value>',
  },
  managedBy: managedByField,
  lacksSecret: {
    kind: { type: 'flag' },
    setBy: 'issued',
    summary:
      'true while it is confidential and has no secret, so that it cannot authenticate: rotate its secret; absent otherwise',
  },
  weakSecret: {
    kind: { type: 'flag' },
    setBy: 'issued',
    summary:
      'true while it has an imported secret of fewer than 16 characters, which can be guessed: rotate its secret; absent otherwise',
  },
  secretExpires: {
    kind: { type: 'wholeNumber', minimum: 0 },
    setBy: 'issued',
    summary:
      'when the last of its secrets expires, or expired, in epoch milliseconds: add another one before; absent if one never does',
  },
  withheldScopes: {
    kind: { type: 'texts', values: registeredOpenidScopes },
    setBy: 'issued',
    summary:
      'those of openidScopes that it does not get until an administrator confirms it; absent if there are none',
  },
  reset: {
    kind: { type: 'texts', values: ['skipConsent', 'trusted', 'keepsUserData'] },
    setBy: 'issued',
    summary:
      'fields that this change has set to false, because the caller is not an administrator; absent if there are none',
  },
} as const satisfies FieldTable;
