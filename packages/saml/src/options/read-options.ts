import { type ModuleOptionProblem, ModuleOptionsError, OptionReader } from '@watchword/protocol';
import type { IdentityProvider } from '../metadata/identity-provider.ts';
import type { MetadataSource } from '../metadata/source.ts';
import { type KeyPair, readKeyPair } from './keys.ts';
import { type PrincipalOptions, readPrincipalOptions } from './principal-options.ts';
import { readProviders } from './provider-options.ts';

/** The validated `authenticatorOptions`. The README of the package describes each. */
export interface SamlOptions {
  readonly entityId: string | undefined;
  readonly displayName: string | undefined;
  readonly contactEmail: string | undefined;
  readonly inline: readonly IdentityProvider[];
  readonly sources: readonly MetadataSource[];
  readonly binding: 'redirect' | 'post';
  readonly signing: KeyPair | undefined;
  readonly signRequests: boolean;
  /** The newest key pair first; all of them decrypt. */
  readonly encryption: readonly KeyPair[];
  readonly allowCbc: boolean;
  readonly allowSha1: boolean;
  readonly requireSigned: 'any' | 'assertion' | 'response' | 'both';
  readonly nameIdFormat: string | undefined;
  readonly authnContext: readonly string[];
  /** Milliseconds. */
  readonly clockSkew: number;
  readonly discoveryService: string | undefined;
  readonly scoping: { readonly idpList: readonly string[]; readonly proxyCount: number | undefined };
  readonly principal: PrincipalOptions;
  readonly groupProvider: string | undefined;
  readonly groupProviderOptions: Readonly<Record<string, unknown>>;
}

const maxClockSkew = 120;
const maxProxyCount = 10;

/** @throws ModuleOptionsError with every problem */
export function readOptions(settings: Readonly<Record<string, unknown>>): SamlOptions {
  const problems: ModuleOptionProblem[] = [];
  const options = new OptionReader(settings, '', problems);
  const providers = readProviders(options, options.truthOrTexts('allowPrivateAddresses'));
  const signing = options.object('signing');
  const signingPair = signing && readKeyPair(signing);
  const signRequests = options.truth('signRequests', signing !== undefined);
  if (signRequests && signing === undefined)
    options.problem('signing', 'is missing, but signRequests needs it');
  const scoping = options.object('scoping');
  const isOneProvider =
    // An entry with a problem is included: its own problem is reported, and not a missing adminProviders.
    providers.listed === 1 &&
    providers.inline.every(({ isProxy }) => !isProxy) &&
    providers.sources.every(({ entityIds, isProxy }) => entityIds.length === 1 && !isProxy);
  const read: SamlOptions = {
    inline: providers.inline,
    sources: providers.sources,
    entityId: options.text('entityId'),
    displayName: options.text('displayName'),
    contactEmail: options.text('contactEmail'),
    binding: options.choice('binding', ['redirect', 'post'], 'redirect'),
    signing: signingPair,
    signRequests,
    encryption: options.objects('encryption').flatMap((pair) => readKeyPair(pair) ?? []),
    allowCbc: options.truth('allowCbc', false),
    allowSha1: options.truth('allowSha1', false),
    requireSigned: options.choice('requireSigned', ['any', 'assertion', 'response', 'both'], 'any'),
    nameIdFormat: options.text('nameIdFormat'),
    authnContext: options.texts('authnContext'),
    clockSkew: options.number('clockSkew', 0, maxClockSkew, 90) * 1000,
    discoveryService: options.url('discoveryService'),
    scoping: {
      idpList: scoping?.texts('idpList') ?? [],
      proxyCount: scoping?.has('proxyCount') ? scoping.number('proxyCount', 0, maxProxyCount, 0) : undefined,
    },
    principal: readPrincipalOptions(options, isOneProvider),
    groupProvider: options.text('groupProvider'),
    groupProviderOptions: options.anything('groupProviderOptions'),
  };
  scoping?.rejectUnknown();
  options.rejectUnknown();
  if (problems.length > 0) throw new ModuleOptionsError(problems);
  return read;
}
