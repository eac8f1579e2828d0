import { existsSync } from 'node:fs';
import { type OptionReader, pathProblem } from '@watchword/protocol';
import { certificateProblem, toPem } from '../metadata/certificate.ts';
import { type IdentityProvider, isEntityId } from '../metadata/identity-provider.ts';
import { isUrl, type MetadataSource, type PrivateHosts } from '../metadata/source.ts';
import { readCertificates } from './keys.ts';

export interface ProviderOptions {
  /** Identity providers that the options describe without metadata. */
  readonly inline: readonly IdentityProvider[];
  readonly sources: readonly MetadataSource[];
}

const megabyte = 1_000_000;
const answerTimeout = 5000;

/** Reads the option `identityProviders`. Each entry describes one identity provider, or names metadata. */
export function readProviders(
  options: OptionReader,
  allowPrivateAddresses: PrivateHosts,
): ProviderOptions & { readonly listed: number } {
  const list = options.objects('identityProviders');
  if (list.length === 0) options.problem('identityProviders', 'expected at least one identity provider');
  const inline: IdentityProvider[] = [];
  const sources: MetadataSource[] = [];
  for (const each of list) {
    if (each.has('metadata') || each.has('metadataText')) {
      const source = readSource(each, allowPrivateAddresses);
      if (source !== undefined) sources.push(source);
    } else {
      const provider = readInline(each);
      if (provider !== undefined) inline.push(provider);
    }
    each.rejectUnknown();
  }
  return { inline, sources, listed: list.length };
}

function readInline(options: OptionReader): IdentityProvider | undefined {
  const entityId = readEntityId(options);
  const url = options.url('singleSignOnUrl');
  if (url === undefined && !options.has('singleSignOnUrl')) options.problem('singleSignOnUrl', 'is missing');
  const binding = options.choice('binding', ['redirect', 'post'], 'redirect');
  const logout = options.url('singleLogoutUrl');
  const certificates = usableCertificates(options, 'certificates');
  const name = options.text('name');
  const logo = options.url('logo') ?? '';
  const wantsSignedRequests = options.truth('signRequests', false);
  const scopes = options.texts('scopes').map((value) => ({ value, isPattern: false }));
  const isProxy = options.truth('proxy', false);
  if (entityId === undefined || url === undefined || certificates.length === 0) return undefined;
  return {
    entityId,
    names: new Map(name === undefined ? [] : [['', name]]),
    keywords: [],
    logo,
    signOn: binding === 'redirect' ? { redirect: url } : { post: url },
    logout: logout === undefined ? undefined : { request: logout, response: logout },
    certificates,
    wantsSignedRequests,
    scopes,
    isHidden: false,
    validUntil: Number.POSITIVE_INFINITY,
    isProxy,
  };
}

function readSource(options: OptionReader, allowPrivateAddresses: PrivateHosts): MetadataSource | undefined {
  const text = options.text('metadataText');
  const location = options.text('metadata');
  const entityIds = options.texts('entityId');
  const signed = options.has('signingCertificates');
  const signingCertificates = signed ? usableCertificates(options, 'signingCertificates') : [];
  const refresh = options.number('refresh', 60, 604_800, 3600);
  const isFederation = options.truth('federation', false);
  const maxMegabytes = options.number('maxMegabytes', 1, 1000, isFederation ? 200 : 1);
  const seconds = options.number('timeout', 1, 600, isFederation ? 120 : 5);
  const isProxy = options.truth('proxy', false);
  if (isFederation && signingCertificates.length === 0) {
    options.problem(
      'signingCertificates',
      'is missing: without a signature, the host of the metadata could add any identity provider',
    );
  }
  if (text !== undefined && location !== undefined) {
    return options.problem('metadataText', 'must not be given beside metadata');
  }
  if (text === undefined) {
    if (location === undefined) return undefined;
    const isTrusted = signingCertificates.length > 0;
    const problem = locationProblem(location, isTrusted, allowPrivateAddresses);
    if (problem !== undefined) return options.problem('metadata', problem);
  }
  return {
    location: location ?? 'metadataText',
    text,
    signingCertificates: signingCertificates.map(toPem),
    entityIds,
    isFederation,
    isProxy,
    refresh,
    fetch: {
      maxBytes: maxMegabytes * megabyte,
      answerTimeout,
      timeout: seconds * 1000,
      allowPrivateAddresses,
    },
  };
}

function readEntityId(options: OptionReader): string | undefined {
  const entityId = options.text('entityId');
  if (entityId === undefined) return options.problem('entityId', 'expected an entity id, or metadata');
  if (isEntityId(entityId)) return entityId;
  return options.problem(
    'entityId',
    'expected a URI of at most 1,024 characters, without spaces and without !',
  );
}

/** @param isSigned the metadata needs a signature, so that its way need not be trusted */
function locationProblem(
  location: string,
  isSigned: boolean,
  allowPrivateAddresses: PrivateHosts,
): string | undefined {
  if (!isUrl(location)) {
    const problem = pathProblem(location);
    return problem !== undefined || !existsSync(location)
      ? `expected an http(s) URL, or the path of a file that is there${problem === undefined ? '' : `; ${problem}`}`
      : undefined;
  }
  if (!URL.canParse(location)) return 'expected an http(s) URL, or the path of a file that is there';
  if (hasUserInfo(location)) {
    return 'expected a URL without user name and password, because the URL is logged';
  }
  if (location.startsWith('https:') || isSigned || isPrivate(location, allowPrivateAddresses))
    return undefined;
  return 'expected an https URL, or signingCertificates: without both, an attacker on the network could change the metadata';
}

function isPrivate(url: string, hosts: PrivateHosts): boolean {
  const { host, hostname } = new URL(url);
  return typeof hosts === 'boolean' ? hosts : hosts.includes(host) || hosts.includes(hostname);
}

function hasUserInfo(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

function usableCertificates(options: OptionReader, name: string): readonly string[] {
  const certificates = readCertificates(options, name);
  if (!options.has(name))
    options.problem(name, 'is missing: signatures can be verified only with a certificate');
  return certificates.filter((certificate) => {
    const problem = certificateProblem(certificate);
    if (problem !== undefined) options.problem(name, problem);
    return problem === undefined;
  });
}
