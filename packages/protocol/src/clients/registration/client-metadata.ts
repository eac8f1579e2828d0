import { type KeySet, noKeys, readKeySet } from '@watchword/proofs';
import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { emailProblems } from '../../model/fields/problems.ts';
import { redirectUriProblems, redirectUrisKind } from '../../model/fields/redirect-uris.ts';
import { requestUriProblems } from '../../model/fields/request-client.ts';
import { isObject, type JsonObject } from '../../model/json-object.ts';
import type { Client } from '../../model/records/client.ts';
import type { ClientRegistrationRecord } from '../../model/records/client-registration.ts';
import { isLoopbackHost } from '../../model/redirect-uri.ts';
import { type SigningAlgorithm, signingAlgorithms } from '../../model/signing-algorithm.ts';
import { claimedName, nameAtHost } from '../claimed-name.ts';
import { type ClientRegistration, clientDefaults } from './client-rules.ts';
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
// Texts in a list other than that of redirect URIs.
const maxTexts = 100;
// Of redirect URIs: as many as users can read in a name.
const maxHosts = 4;

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
    tokenEndpointAuthSigningAlg: reader.choice('token_endpoint_auth_signing_alg', signingAlgorithms) ?? '',
    useRefreshTokens: grantTypes.includes('refresh_token'),
    dpopBoundAccessTokens: reader.flag('dpop_bound_access_tokens') ?? false,
    tlsClientCertificateBoundAccessTokens: reader.flag('tls_client_certificate_bound_access_tokens') ?? false,
    idTokenSignedResponseAlg: reader.choice('id_token_signed_response_alg', algorithms) ?? '',
    userinfoSignedResponseAlg: reader.choice('userinfo_signed_response_alg', algorithms) ?? '',
    authorizationSignedResponseAlg: reader.choice('authorization_signed_response_alg', algorithms) ?? '',
    requirePushedAuthorizationRequests: reader.flag('require_pushed_authorization_requests') ?? false,
    requireSignedRequestObject: reader.flag('require_signed_request_object') ?? false,
    requestObjectSigningAlg: reader.choice('request_object_signing_alg', objectAlgorithms) ?? '',
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

/** Reads members, and collects what is wrong with them, so that all is reported at once. */
class MetadataReader {
  readonly #document: JsonObject;
  readonly #problems: string[] = [];

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** @throws OAuthError `invalid_redirect_uri` */
  redirectUris(): readonly string[] {
    const name = 'redirect_uris';
    const uris = this.#read(name, isTexts) ?? [];
    const wrong =
      uris.length === 0 ? ['must be a list of texts, with one at least'] : [...redirectUriProblems(uris)];
    if (wrong.length === 0 && hostsOf(uris).length > maxHosts)
      wrong.push(`lead to more than ${maxHosts} hosts; register a client for each application`);
    const problems = wrong.map((problem) => `${name}: ${problem}`);
    if (problems.length === 0) return [...new Set(uris)];
    const why = because('registered_redirect_uris', { problems });
    throw new OAuthError('invalid_redirect_uri', { ...why, violations: problems });
  }

  uris(name: string, problemsOf = redirectUriProblems): readonly string[] {
    const uris = this.texts(name, redirectUrisKind.maxItems) ?? [];
    for (const problem of problemsOf(uris)) this.#add(name, problem);
    return [...new Set(uris)];
  }

  keySet(name: string): KeySet | undefined {
    const value = this.#read(name, isObject);
    if (value === undefined) return this.#wrong(name, 'must be a JSON Web Key Set');
    const read = readKeySet(value);
    if (!('problem' in read)) return read;
    this.#add(name, read.problem);
    return undefined;
  }

  text(name: string): string | undefined {
    const value = this.#read(name, isText);
    return value === undefined ? this.#wrong(name, 'must be a text') : value;
  }

  flag(name: string): boolean | undefined {
    const value = this.#read(name, (value) => typeof value === 'boolean');
    return value === undefined ? this.#wrong(name, 'must be true or false') : value;
  }

  texts(name: string, most = maxTexts): readonly string[] | undefined {
    const value = this.#read(name, isTexts);
    if (value !== undefined && value.length > most) return this.#wrong(name, `has more than ${most} members`);
    return value === undefined ? this.#wrong(name, 'must be a list of texts') : value;
  }

  choice<Value extends string>(name: string, values: readonly Value[]): Value | undefined {
    const value = this.#read(name, isText);
    const found = values.find((each) => each === value);
    return found ?? this.#wrong(name, `must be one of ${values.join(', ')}`);
  }

  /** What the server cannot do without is never added: the client would rely on something else. */
  needs(name: string, values: readonly string[], needed: string): void {
    if (!values.includes(needed)) this.#add(name, `must have ${needed}, which is what this server registers`);
  }

  /** @throws OAuthError `invalid_client_metadata` */
  throwIfAny(): void {
    if (this.#problems.length > 0) throw unusableMetadata(this.#problems);
  }

  #read<Value>(name: string, isOfType: (value: unknown) => value is Value): Value | undefined {
    const value = Object.hasOwn(this.#document, name) ? this.#document[name] : undefined;
    return isOfType(value) ? value : undefined;
  }

  /** A member that is there, and cannot be read. */
  #wrong(name: string, problem: string): undefined {
    if (Object.hasOwn(this.#document, name) && this.#document[name] !== null) this.#add(name, problem);
  }

  #add(name: string, problem: string): void {
    this.#problems.push(`${name}: ${problem}`);
  }
}

/** @param problems each is the name of a member with what is wrong with it */
export function unusableMetadata(problems: readonly string[]): OAuthError {
  const why = because('registered_metadata', { problems });
  return new OAuthError('invalid_client_metadata', { ...why, violations: problems });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

function isEmail(text: string): boolean {
  return text !== '' && [...emailProblems(text)].length === 0;
}

/** Where the redirect URIs lead, all of them: otherwise the first could lend its name to another one. Hosts, and private-use schemes of applications. */
function hostsOf(redirectUris: readonly string[]): readonly string[] {
  const hosts = redirectUris.map((uri) => {
    const { protocol, hostname, host } = new URL(uri);
    if (!/^https?:$/.test(protocol)) return protocol.slice(0, -1);
    return isLoopbackHost(hostname) ? hostname : host;
  });
  return [...new Set(hosts)];
}

function typeOf(redirectUris: readonly string[]): (typeof applicationTypes)[number] {
  const isLocal = redirectUris.some((uri) => !uri.startsWith('https:'));
  return isLocal ? 'native' : 'web';
}
