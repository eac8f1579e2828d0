// Made from the tables of fields: npm run records -w packages/admin-client

import type { ClientFields, ResourceServerFields } from './records.ts';

/** A Client whose registration names no field. Fields that are required are empty here. */
export const clientDefaults: ClientFields = {
  clientName: '',
  description: '',
  contactName: '',
  contactEmail: '',
  thumbNailUrl: '',
  scopes: [],
  otherResourceServers: [],
  redirectUris: [],
  confidential: true,
  tokenEndpointAuthMethod: '',
  allowedClientCredentials: false,
  allowedImplicitGrant: false,
  useRefreshTokens: false,
  skipConsent: false,
  includePrincipal: false,
  expireDuration: 0,
  loginLevel: '',
  openidScopes: [],
  claimsInIdToken: false,
  postLogoutRedirectUris: [],
  subjectType: 'public',
  sectorIdentifierUri: '',
  idTokenSignedResponseAlg: '',
  userinfoSignedResponseAlg: '',
  backchannelLogoutUri: '',
  backchannelLogoutSessionRequired: false,
  frontchannelLogoutUri: '',
  frontchannelLogoutSessionRequired: false,
  attributes: {},
};

/** What a form calls the fields of a Client. */
export const clientLabels: Readonly<Record<keyof ClientFields, string>> = {
  clientName: 'Name',
  description: 'Description',
  contactName: 'Contact name',
  contactEmail: 'Contact e-mail',
  thumbNailUrl: 'Picture',
  scopes: 'Scopes',
  otherResourceServers: 'Other resource servers',
  redirectUris: 'Redirect URIs',
  confidential: 'Confidential',
  tokenEndpointAuthMethod: 'Authentication',
  allowedClientCredentials: 'Client credentials',
  allowedImplicitGrant: 'Implicit grant',
  useRefreshTokens: 'Refresh tokens',
  skipConsent: 'Skip consent',
  includePrincipal: 'Name the principal in implicit answers',
  expireDuration: 'Token lifetime',
  loginLevel: 'Strength of logins',
  openidScopes: 'Claims of the user',
  claimsInIdToken: 'Claims in ID tokens',
  postLogoutRedirectUris: 'Post-logout redirect URIs',
  subjectType: 'Subject type',
  sectorIdentifierUri: 'Sector identifier URI',
  idTokenSignedResponseAlg: 'Signature of ID tokens',
  userinfoSignedResponseAlg: 'Signature of userinfo',
  backchannelLogoutUri: 'Back-channel logout URI',
  backchannelLogoutSessionRequired: 'Back-channel logout names the session',
  frontchannelLogoutUri: 'Front-channel logout URI',
  frontchannelLogoutSessionRequired: 'Front-channel logout names the session',
  attributes: 'Attributes',
};

/** A ResourceServer whose registration names no field. Fields that are required are empty here. */
export const resourceServerDefaults: ResourceServerFields = {
  name: '',
  description: '',
  scopes: [],
  resources: [],
  openToClients: 'owner',
  openScopes: [],
  accessTokenFormat: 'opaque',
  loginDetails: false,
  contactName: '',
  contactEmail: '',
  thumbNailUrl: '',
};

/** What a form calls the fields of a ResourceServer. */
export const resourceServerLabels: Readonly<Record<keyof ResourceServerFields, string>> = {
  name: 'Name',
  description: 'Description',
  scopes: 'Scopes',
  resources: 'URIs',
  openToClients: 'Open to clients',
  openScopes: 'Open scopes',
  accessTokenFormat: 'Format of access tokens',
  loginDetails: 'Details of the login',
  contactName: 'Contact name',
  contactEmail: 'Contact e-mail',
  thumbNailUrl: 'Picture',
};
