import { noKeys, usualName } from '@watchword/proofs';
import { emailProblems } from '../../model/fields/problems.ts';
import { requestUriProblems } from '../../model/fields/request-client.ts';
import { isObject } from '../../model/json-object.ts';
import type { Client } from '../../model/records/client.ts';
import type { ClientRegistrationRecord } from '../../model/records/client-registration.ts';
import { type SigningAlgorithm, signingAlgorithms } from '../../model/signing-algorithm.ts';
import { claimedName, nameAtHost } from '../claimed-name.ts';
import { type ClientRegistration, clientDefaults } from './client-rules.ts';
import { hostsOf, MetadataReader, unusableMetadata } from './metadata-reader.ts';
import { getsHybrid, ownPage, registeredFlows, registeredPages } from './registered-pages.ts';

/** What a client registers of itself (RFC 7591 §2), as the server understands it. */
export interface ClientMetadata {
  readonly claimed: Pick<ClientRegistrationRecord, 'claimedName' | 'applicationType'>;
  /** The fields of its record that follow from it. */
  readonly fields: Pick<ClientRegistration, RegisteredField>;
}

type RegisteredField =
  | 'clientName'
  | 'contactName'
  | 'contactEmail'
  | 'redirectUris'
  | 'postLogoutRedirectUris'
  | 'openidScopes'
  | 'thumbNailUrl'
  | 'policyUri'
  | 'tosUri'
  | 'subjectType'
  | 'sectorIdentifierUri'
  | 'allowedHybrid'
  | 'confidential'
  | 'tokenEndpointAuthMethod'
  | 'jwks'
  | 'jwksUri'
  | 'tokenEndpointAuthSigningAlg'
  | 'useRefreshTokens'
  | 'dpopBoundAccessTokens'
  | 'tlsClientCertificateBoundAccessTokens'
  | 'idTokenSignedResponseAlg'
  | 'userinfoSignedResponseAlg'
  | 'authorizationSignedResponseAlg'
  | 'requirePushedAuthorizationRequests'
  | 'requireSignedRequestObject'
  | 'requestObjectSigningAlg'
  | 'requestUris';

const methods = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;
const objectAlgorithms = ['none', ...signingAlgorithms] as const;
const subjectTypes = ['public', 'pairwise'] as const;
const applicationTypes = ['web', 'native'] as const;

/**
 * Reads the metadata of a client. A member that the server does not know is ignored, and `null` is no value (RFC 7592 §2.2). Whoever
 * registers is unknown: the client gets no claims but those of `profile`, acts for nobody but its users, and is no JWT of others.
 *
 * @param algorithms with which the server signs
 * @throws OAuthError `invalid_redirect_uri`, `invalid_client_metadata` (RFC 7591 §3.2.2)
 */
export function readClientMetadata(
  document: unknown,
  algorithms: readonly SigningAlgorithm[],
): ClientMetadata {
  if (!isObject(document)) throw unusableMetadata(['body: is not a JSON object']);
  const reader = new MetadataReader(document);
  const redirectUris = reader.redirectUris();
  const method = reader.choice('token_endpoint_auth_method', methods) ?? 'client_secret_basic';
  const grantTypes = reader.texts('grant_types') ?? ['authorization_code'];
  reader.needs('grant_types', grantTypes, 'authorization_code');
  const responseTypes = reader.texts('response_types') ?? ['code'];
  const allowedHybrid = getsHybrid(responseTypes, redirectUris, method !== 'none');
  if (!allowedHybrid) reader.needs('response_types', responseTypes, 'code');
  const page = (member: string) => ownPage(reader.text(member), redirectUris);
  const scope = reader.text('scope')?.split(' ');
  const name = claimedName(reader.text('client_name'));
  const applicationType = reader.choice('application_type', applicationTypes) ?? typeOf(redirectUris);
  const hosts = hostsOf(redirectUris).join(', ');
  const fields = {
    clientName: nameAtHost(name, hosts),
    contactName: hosts,
    contactEmail: reader.texts('contacts')?.find(isEmail) ?? '',
    redirectUris,
    postLogoutRedirectUris: reader.uris('post_logout_redirect_uris'),
    thumbNailUrl: page('logo_uri'),
    policyUri: page('policy_uri'),
    tosUri: page('tos_uri'),
    subjectType: reader.choice('subject_type', subjectTypes) ?? 'public',
    sectorIdentifierUri: reader.text('sector_identifier_uri') ?? '',
    allowedHybrid,
    openidScopes: scope === undefined || scope.includes('profile') ? (['profile'] as const) : [],
    confidential: method !== 'none',
    tokenEndpointAuthMethod: method,
    jwks: reader.keySet('jwks') ?? noKeys,
    jwksUri: reader.text('jwks_uri') ?? '',
    tokenEndpointAuthSigningAlg:
      reader.choice('token_endpoint_auth_signing_alg', signingAlgorithms, usualName) ?? '',
    useRefreshTokens: grantTypes.includes('refresh_token'),
    dpopBoundAccessTokens: reader.flag('dpop_bound_access_tokens') ?? false,
    tlsClientCertificateBoundAccessTokens: reader.flag('tls_client_certificate_bound_access_tokens') ?? false,
    idTokenSignedResponseAlg: reader.choice('id_token_signed_response_alg', algorithms) ?? '',
    userinfoSignedResponseAlg: reader.choice('userinfo_signed_response_alg', algorithms) ?? '',
    authorizationSignedResponseAlg: reader.choice('authorization_signed_response_alg', algorithms) ?? '',
    requirePushedAuthorizationRequests: reader.flag('require_pushed_authorization_requests') ?? false,
    requireSignedRequestObject: reader.flag('require_signed_request_object') ?? false,
    requestObjectSigningAlg: reader.choice('request_object_signing_alg', objectAlgorithms, usualName) ?? '',
    requestUris: reader.uris('request_uris', requestUriProblems),
  } as const;
  reader.throwIfAny();
  return { claimed: { claimedName: name, applicationType }, fields };
}

// Seconds. Nobody knows who the client is, and its user can always log in again.
const tokenLifetime = 3600;

/** The whole registration of a client of this metadata. */
export function selfRegistration({ fields }: ClientMetadata): ClientRegistration {
  return { ...clientDefaults, expireDuration: tokenLifetime, ...fields };
}

/**
 * All that is registered of a client (RFC 7591 §3.2.1), with the defaults. Scopes of resource servers are not in it: a request that
 * names the resource can ask for those that are open.
 *
 * @param algorithm with which the server signs ID tokens if the client names none
 */
export function registeredMetadata(
  client: Client,
  { claimedName: name, applicationType, creationDate }: ClientRegistrationRecord,
  algorithm: SigningAlgorithm,
): Readonly<Record<string, unknown>> {
  const { contactEmail, postLogoutRedirectUris, useRefreshTokens, userinfoSignedResponseAlg } = client;
  const offline = useRefreshTokens ? ['offline_access'] : [];
  return {
    client_id: client.clientId,
    client_id_issued_at: Math.floor(creationDate / 1000),
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method:
      client.tokenEndpointAuthMethod || (client.confidential ? 'client_secret_basic' : 'none'),
    ...keyMetadata(client),
    ...registeredFlows(client),
    ...(name !== '' && { client_name: name }),
    scope: ['openid', ...client.openidScopes, ...offline].join(' '),
    application_type: applicationType,
    ...(contactEmail !== '' && { contacts: [contactEmail] }),
    ...(postLogoutRedirectUris.length > 0 && { post_logout_redirect_uris: postLogoutRedirectUris }),
    ...(client.dpopBoundAccessTokens && { dpop_bound_access_tokens: true }),
    ...(client.tlsClientCertificateBoundAccessTokens && {
      tls_client_certificate_bound_access_tokens: true,
    }),
    ...registeredPages(client),
    subject_type: client.subjectType,
    ...(client.sectorIdentifierUri !== '' && { sector_identifier_uri: client.sectorIdentifierUri }),
    id_token_signed_response_alg: client.idTokenSignedResponseAlg || algorithm,
    ...(userinfoSignedResponseAlg !== '' && { userinfo_signed_response_alg: userinfoSignedResponseAlg }),
    ...(client.authorizationSignedResponseAlg !== '' && {
      authorization_signed_response_alg: client.authorizationSignedResponseAlg,
    }),
    ...(client.requirePushedAuthorizationRequests && { require_pushed_authorization_requests: true }),
    ...(client.requireSignedRequestObject && { require_signed_request_object: true }),
    ...(client.requestObjectSigningAlg !== '' && {
      request_object_signing_alg: client.requestObjectSigningAlg,
    }),
    ...(client.requestUris.length > 0 && { request_uris: client.requestUris }),
  };
}

function keyMetadata({ jwks, jwksUri, tokenEndpointAuthSigningAlg: algorithm }: Client) {
  return {
    ...(jwks.keys.length > 0 && { jwks }),
    ...(jwksUri !== '' && { jwks_uri: jwksUri }),
    ...(algorithm !== '' && { token_endpoint_auth_signing_alg: algorithm }),
  };
}

function isEmail(text: string): boolean {
  return text !== '' && [...emailProblems(text)].length === 0;
}

function typeOf(redirectUris: readonly string[]): (typeof applicationTypes)[number] {
  const isLocal = redirectUris.some((uri) => !uri.startsWith('https:'));
  return isLocal ? 'native' : 'web';
}
