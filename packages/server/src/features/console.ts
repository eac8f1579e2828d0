import { registeredPageAddresses } from '@watchword/administration';
import { accountIdentityProvider } from '@watchword/protocol';
import { readConsoleFiles } from '../console/files.ts';
import { consoleLanguages } from '../console/texts.ts';
import type { Core } from '../core/core.ts';
import { consoleRoutes } from '../http/console.ts';
import { version } from '../version.ts';
import type { Feature } from './feature.ts';

const buildCommand = 'npm run build -w packages/console';

type Parts = Pick<
  Core,
  'baseUrl' | 'configuration' | 'logger' | 'modules' | 'pageAnswers' | 'pages' | 'prefix' | 'store'
>;

/** The administration GUI. If it is not built, a page with the command that builds it. */
export function administrationGui(parts: Parts): Feature {
  const { baseUrl: issuer, configuration, logger, modules, pageAnswers, pages, prefix, store } = parts;
  const files = readConsoleFiles();
  if (files === undefined) {
    logger.warn(
      `the administration GUI has not been built; run "${buildCommand}" and start the server again`,
    );
  }
  const endpoints = consoleRoutes({
    files,
    buildCommand,
    describe: () => ({
      issuer,
      alternatives: registeredPageAddresses(store.registry).filter((baseUrl) => baseUrl !== issuer),
      productName: configuration['pages.productName'],
      logo: `${prefix}${pages.logo.path}`,
      version,
      implicitLifetime: configuration['implicit.lifetime'],
      signingAlgorithms: configuration['signing.algorithms'],
      hasLocalAccounts: modules.authenticators.has(accountIdentityProvider),
    }),
    languages: consoleLanguages(pages.consoleLocales),
    isHttps: issuer.startsWith('https:'),
    pages: pageAnswers,
  });
  return { endpoints };
}
