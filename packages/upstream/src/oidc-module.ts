import { readdirSync, readFileSync } from 'node:fs';
import type { AuthenticationModule, ModuleDescription, ModuleOptions } from '@watchword/protocol';
import { addressesOf } from './addresses.ts';
import type { OidcDependencies } from './dependencies.ts';
import { begin } from './login/begin.ts';
import { callbackEndpoint } from './login/callback.ts';
import { resume } from './login/resume.ts';
import { backchannelLogoutEndpoint } from './logout/backchannel-logout.ts';
import { endSessionUrl, signedOutEndpoint } from './logout/end-session.ts';
import { readOptions } from './options/read-options.ts';
import { githubMetadata } from './provider/metadata.ts';
import { Provider } from './provider/provider.ts';
import { askProvider } from './provider/requests.ts';
import { reportingErrors } from './reporting-errors.ts';

/**
 * Logs users in at an OpenID Connect provider (OpenID Connect Core §3.1, code flow with PKCE).
 *
 * @throws ModuleOptionsError with every problem of the options
 */
export async function oidcModule({ settings, services, log }: ModuleOptions): Promise<AuthenticationModule> {
  const options = readOptions(settings);
  const ask = askProvider(services, options);
  const { clock } = services;
  const { issuers, preset, allowPrivateAddresses, signingAlgorithm } = options;
  const fixed = preset === 'github' ? githubMetadata(issuers.url.replace(/\/$/, '')) : undefined;
  const provider = new Provider(issuers, allowPrivateAddresses, { ask, clock, signingAlgorithm }, fixed);
  const deps: OidcDependencies = { options, provider, services, log, addresses: addressesOf(services) };
  // The administrator sees at once whether it is there. A provider that is away does not keep the server from its start.
  await provider.metadata().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    log('error', 'the provider could not be asked; each login asks again', {
      provider: issuers.url,
      reason,
    });
  });
  return {
    name: 'oidc',
    label: 'upstream.label',
    begin: (context) => {
      const { requestId } = context;
      return reportingErrors({ of: 'login', requestId }, deps, () => begin(context, deps));
    },
    resume: (context, submission) => resume(context, submission, deps),
    endpoints: [
      callbackEndpoint(options),
      ...(fixed === undefined ? [backchannelLogoutEndpoint(deps), signedOutEndpoint(deps)] : []),
    ],
    texts: moduleTexts(),
    logout: (data) => endSessionUrl(data, deps),
    isConfigured: (identityProvider) => issuers.includes(identityProvider, provider.known?.issuer),
    problems: () => provider.problems(),
    describe: () => describe(deps),
  };
}

function describe({ options, provider, addresses }: OidcDependencies): ModuleDescription {
  const { url: issuer } = provider.issuers;
  const { callback } = addresses;
  return {
    addresses: Object.entries(options.preset === 'github' ? { callback } : addresses).map(
      ([name, value]) => ({ name, value }),
    ),
    identityProviders: [{ identityProvider: issuer, name: new URL(issuer).host, certificates: [] }],
    total: 1,
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
