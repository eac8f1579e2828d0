import { type ModuleOptionProblem, ModuleOptionsError, OptionReader } from '@watchword/protocol';
import type { IssuerRule } from '../provider/issuer-rule.ts';
import { acceptedAlgorithms } from '../provider/metadata.ts';
import { isWebUrl, type PrivateHosts } from '../provider/web-url.ts';
import { type PresetName, presetNames, presets, readIssuers } from './presets.ts';
import { type PrincipalOptions, readPrincipalOptions } from './principal-options.ts';
import { type AssertionKey, readAssertionKey, readSignedSecret, type SignedSecret } from './private-key.ts';
import { readSecret } from './secret-file.ts';

/** The validated `authenticatorOptions`. The README of the package describes each. */
export interface OidcOptions {
  readonly preset: PresetName;
  readonly issuers: IssuerRule;
  readonly clientId: string;
  /** `undefined` for a public client, which PKCE alone protects. */
  readonly clientSecret: string | undefined;
  /** Of Apple: signs a client secret for each request. */
  readonly signedSecret: SignedSecret | undefined;
  /** In the place of a secret: the client authenticates by `private_key_jwt`. */
  readonly assertionKey: AssertionKey | undefined;
  /** How the client authenticates; `undefined`: as the provider offers it, by HTTP Basic first. */
  readonly clientAuthentication: 'basic' | 'post' | undefined;
  readonly scopes: readonly string[];
  readonly responseMode: 'query' | 'form_post';
  /** Audiences that an ID token can have beside this client (OpenID Connect Core §3.1.3.7, rule 3). */
  readonly trustedAudiences: readonly string[];
  /** With which the provider signs for this client; `undefined`: RS256 where the provider offers it, and else any that it offers. */
  readonly signingAlgorithm: string | undefined;
  /** Whether a logout here leads to the logout of the provider, if it has one. */
  readonly logout: boolean;
  /** Milliseconds by which the clocks can differ. */
  readonly clockSkew: number;
  /** Milliseconds until a request to the provider must be answered. */
  readonly timeout: number;
  readonly allowPrivateAddresses: PrivateHosts;
  readonly principal: PrincipalOptions;
}

const maxClockSkew = 120;
// A login waits for four requests at most, and the server waits 30 s for a module.
const maxTimeout = 7;

/** @throws ModuleOptionsError with every problem */
export function readOptions(settings: Readonly<Record<string, unknown>>): OidcOptions {
  const problems: ModuleOptionProblem[] = [];
  const options = new OptionReader(settings, '', problems);
  const allowPrivateAddresses = options.truthOrTexts('allowPrivateAddresses');
  const preset = options.choice('preset', presetNames, 'none');
  const { issuer: known, scopes, isOpenid, responseMode, emailDomains } = presets[preset];
  const issuer = readIssuer(options, allowPrivateAddresses, known) ?? '';
  const read = {
    preset,
    issuers: readIssuers(options, preset, issuer),
    clientId: required(options, 'clientId') ?? '',
    clientSecret: readSecret(options, 'clientSecret'),
    signedSecret: preset === 'apple' ? readSignedSecret(options) : undefined,
    assertionKey: preset === 'apple' ? undefined : readAssertionKey(options),
    clientAuthentication: options.has('clientAuthentication')
      ? options.choice('clientAuthentication', ['basic', 'post'], 'basic')
      : undefined,
    scopes: [...new Set([...(isOpenid ? ['openid'] : []), ...options.texts('scopes', scopes)])],
    responseMode: options.choice('responseMode', ['query', 'form_post'], responseMode),
    trustedAudiences: options.texts('trustedAudiences'),
    signingAlgorithm: options.has('signingAlgorithm')
      ? options.choice('signingAlgorithm', acceptedAlgorithms, 'RS256')
      : undefined,
    logout: options.truth('logout', true),
    clockSkew: options.number('clockSkew', 0, maxClockSkew, 60) * 1000,
    timeout: options.number('timeout', 1, maxTimeout, 5) * 1000,
    allowPrivateAddresses,
    principal: readPrincipalOptions(options, { emailDomains }),
  };
  options.rejectUnknown();
  if (problems.length > 0) throw new ModuleOptionsError(problems);
  return read;
}

function required(options: OptionReader, name: string): string | undefined {
  if (!options.has(name)) options.problem(name, 'is missing');
  return options.text(name);
}

/** @returns the issuer as the provider writes it: it is compared character by character (OpenID Connect Discovery §4.3) */
function readIssuer(
  options: OptionReader,
  hosts: PrivateHosts,
  known: string | undefined,
): string | undefined {
  const issuer = known === undefined ? required(options, 'issuer') : (options.text('issuer') ?? known);
  if (issuer === undefined) return undefined;
  const problem = issuerProblem(issuer, hosts);
  return problem === undefined ? issuer : options.problem('issuer', problem);
}

function issuerProblem(issuer: string, hosts: PrivateHosts): string | undefined {
  if (!isWebUrl(issuer, hosts)) return 'expected an https URL without user name and password';
  const { search, hash } = new URL(issuer);
  if (search !== '' || hash !== '') return 'expected a URL without query and fragment';
  if (issuer.includes('/.well-known/')) return 'expected the issuer, which is the URL before /.well-known/';
  return undefined;
}
