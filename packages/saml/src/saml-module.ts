import { readdirSync, readFileSync } from 'node:fs';
import {
  type AuthenticationModule,
  type ModuleDescription,
  type ModuleOptions,
  maxDescribedProviders,
} from '@watchword/protocol';
import { addressesOf, paths } from './addresses.ts';
import type { SamlDependencies } from './dependencies.ts';
import { loadGroupProvider } from './group-provider.ts';
import { begin, discoveryEndpoint } from './login/begin.ts';
import { resume, resumeEndpoint } from './login/resume.ts';
import { logoutEndpoint } from './logout/logout-endpoint.ts';
import { logoutUrl } from './logout/logout-request.ts';
import { describedCertificates } from './metadata/certificate.ts';
import { isConfigured, ProviderDirectory } from './metadata/directory.ts';
import { nameOf } from './metadata/identity-provider.ts';
import { MetadataRefresher, warnOfExpiredCertificates } from './metadata/refresher.ts';
import type { MetadataSource } from './metadata/source.ts';
import { readOptions } from './options/read-options.ts';
import { acsEndpoint } from './response/acs.ts';
import { metadataEndpoint } from './service-metadata.ts';

/**
 * Logs users in at SAML 2.0 identity providers (SAML 2.0 Profiles §4.1, Web Browser SSO).
 *
 * @throws ModuleOptionsError with every problem of the options
 */
export async function samlModule({ settings, services, log }: ModuleOptions): Promise<AuthenticationModule> {
  const options = readOptions(settings);
  const { groupProvider: name, groupProviderOptions } = options;
  const groupProvider =
    name === undefined ? undefined : await loadGroupProvider(name, { settings: groupProviderOptions, log });
  // Source 0 has the identity providers of the options, because they win over metadata.
  const directory = new ProviderDirectory(1 + options.sources.length);
  directory.replace(0, options.inline);
  warnOfExpiredCertificates(options.inline, services.clock, log);
  const refresher = new MetadataRefresher(
    { directory, policy: options, clock: services.clock, log },
    options.sources,
    1,
  );
  await refresher.start();
  const deps: SamlDependencies = {
    options,
    directory,
    services,
    log,
    groupProvider,
    addresses: addressesOf(services, options.entityId),
  };
  const configured = {
    directory,
    sources: options.sources,
    clock: services.clock,
    isLoaded: (source: MetadataSource) => refresher.isLoaded(source),
  };
  return {
    name: 'saml',
    label: 'saml.label',
    begin: async (context) => begin(context, deps),
    resume: (context, submission) => resume(context, submission, deps),
    endpoints: [
      metadataEndpoint(deps),
      acsEndpoint(deps),
      resumeEndpoint(),
      discoveryEndpoint(deps),
      ...(options.signing === undefined ? [] : [logoutEndpoint(deps)]),
    ],
    texts: moduleTexts(),
    logout: (data) => logoutUrl(data, deps),
    isConfigured: (identityProvider) => isConfigured(identityProvider, configured),
    problems: () => refresher.problems(),
    describe: () => describe(deps),
    close: async () => refresher.close(),
  };
}

function describe({ addresses, directory, options, services }: SamlDependencies): ModuleDescription {
  const { entityId, acs, logout } = addresses;
  const own = { entityId, metadata: services.endpointUrl(paths.metadata), acs };
  const all = options.signing === undefined ? own : { ...own, logout };
  return {
    addresses: Object.entries(all).map(([name, value]) => ({ name, value })),
    identityProviders: directory.some(maxDescribedProviders).map((provider) => ({
      identityProvider: provider.entityId,
      name: nameOf(provider, 'en'),
      ...(Number.isFinite(provider.validUntil) && { validUntil: provider.validUntil }),
      certificates: provider.certificates.flatMap(describedCertificates),
    })),
    total: directory.size,
  };
}

const locales = new URL('../locales/', import.meta.url);

/** The texts of the module's pages, by language. A language is one file. */
export function moduleTexts(): Record<string, Record<string, string>> {
  return Object.fromEntries(
    readdirSync(locales).map((file) => [
      file.replace(/\.json$/, ''),
      JSON.parse(readFileSync(new URL(file, locales), 'utf8')),
    ]),
  );
}
