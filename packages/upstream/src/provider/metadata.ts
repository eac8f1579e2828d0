import { shown } from '@watchword/protocol';
import { UpstreamError } from '../upstream-error.ts';
import type { IssuerRule } from './issuer-rule.ts';
import { type AskProvider, jsonObject } from './requests.ts';
import { isWebUrl, type PrivateHosts } from './web-url.ts';

/** What the discovery document of a provider says (OpenID Connect Discovery §3). */
export interface ProviderMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly userinfoEndpoint: string | undefined;
  /** OpenID Connect RP-Initiated Logout §2.1. */
  readonly endSessionEndpoint: string | undefined;
  /** Those of its algorithms for ID tokens that this server accepts. */
  readonly algorithms: readonly string[];
  /** Methods of client authentication at the token endpoint; default: HTTP Basic. */
  readonly authenticationMethods: readonly string[];
  /** With which clients can sign assertions; `undefined`: it does not say. */
  readonly assertionAlgorithms: readonly string[] | undefined;
  /** Its responses have `iss` (RFC 9207 §3). */
  readonly namesIssuer: boolean;
}

// Asymmetric ones only: `none` proves nothing, and an HMAC with the client secret proves no more than TLS does.
export const acceptedAlgorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
] as const;

const publicGithub = 'https://github.com';

export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/** @throws UpstreamError `unreachable`, `metadata` */
export async function discover(
  rule: IssuerRule,
  ask: AskProvider,
  hosts: PrivateHosts,
): Promise<ProviderMetadata> {
  const url = discoveryUrl(rule.url);
  const { status, text } = await ask(url, { headers: { accept: 'application/json' } });
  if (status !== 200) throw new UpstreamError('metadata', `${url}: expected status 200, got ${status}`);
  const members = jsonObject(text);
  if (members === undefined) throw new UpstreamError('metadata', `${url}: expected a JSON object`);
  return readMetadata(members, rule, hosts);
}

/** @throws UpstreamError `metadata` */
export function readMetadata(
  members: Readonly<Record<string, unknown>>,
  rule: IssuerRule,
  hosts: PrivateHosts,
): ProviderMetadata {
  const { issuer } = members;
  if (!rule.accepts(issuer)) {
    const came = shown(String(issuer ?? 'none'), 300);
    throw new UpstreamError(
      'metadata',
      `expected the issuer ${rule.url} in the discovery document, got ${came}`,
    );
  }
  const optional = (name: string) => {
    const value = members[name];
    if (value === undefined || value === null) return undefined;
    if (isWebUrl(value, hosts)) return value;
    throw new UpstreamError('metadata', `${name} of the discovery document: expected an https URL`);
  };
  const url = (name: string) => {
    const value = optional(name);
    if (value !== undefined) return value;
    throw new UpstreamError('metadata', `${name} is missing in the discovery document`);
  };
  const offered = texts(members.id_token_signing_alg_values_supported) ?? ['RS256'];
  const algorithms = offered.filter((name) => acceptedAlgorithms.some((each) => each === name));
  if (algorithms.length === 0) {
    const came = shown(offered.join(', '), 200);
    throw new UpstreamError(
      'metadata',
      `expected an algorithm with a public key, such as RS256, got ${came}`,
    );
  }
  return {
    issuer,
    authorizationEndpoint: url('authorization_endpoint'),
    tokenEndpoint: url('token_endpoint'),
    jwksUri: url('jwks_uri'),
    userinfoEndpoint: optional('userinfo_endpoint'),
    endSessionEndpoint: optional('end_session_endpoint'),
    algorithms,
    authenticationMethods: texts(members.token_endpoint_auth_methods_supported) ?? ['client_secret_basic'],
    assertionAlgorithms: texts(members.token_endpoint_auth_signing_alg_values_supported),
    namesIssuer: members.authorization_response_iss_parameter_supported === true,
  };
}

/** GitHub and GitHub Enterprise Server have no discovery document. @param base without a slash at its end */
export function githubMetadata(base: string): ProviderMetadata {
  return {
    issuer: base,
    authorizationEndpoint: `${base}/login/oauth/authorize`,
    tokenEndpoint: `${base}/login/oauth/access_token`,
    userinfoEndpoint: base === publicGithub ? 'https://api.github.com/user' : `${base}/api/v3/user`,
    endSessionEndpoint: undefined,
    jwksUri: '',
    algorithms: [],
    authenticationMethods: ['client_secret_post'],
    assertionAlgorithms: undefined,
    namesIssuer: false,
  };
}

function texts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined;
}
