import { type Registry, registeredPageAddresses } from '@watchword/protocol';
import type { Configuration } from './config/settings.ts';
import { readConsoleFiles } from './console/files.ts';
import { consoleRoutes } from './http/console.ts';
import type { Endpoint } from './http/endpoint.ts';
import type { PageAnswers } from './http/page.ts';
import type { Pages } from './pages/pages.ts';
import type { Logger } from './runtime/logger.ts';
import { version } from './version.ts';

const buildCommand = 'npm run build -w packages/console';

export interface ConsoleParts {
  readonly pages: Pages;
  readonly shownPages: PageAnswers;
  readonly logger: Logger;
  /** Path of the base URL, `''` when it has none. */
  readonly prefix: string;
  readonly registry: Registry;
  readonly issuer: string;
}

/** Puts together the administration GUI; when it has not been built, a page that says so. */
export function composeConsole(
  configuration: Configuration,
  { pages, shownPages, logger, prefix, registry, issuer }: ConsoleParts,
): Endpoint[] {
  const files = readConsoleFiles();
  if (files === undefined) {
    logger.warn(
      `the administration GUI has not been built; run "${buildCommand}" and start the server again`,
    );
  }
  return consoleRoutes({
    files,
    buildCommand,
    describe: () => ({
      issuer: issuer,
      alternatives: registeredPageAddresses(registry).filter((baseUrl) => baseUrl !== issuer),
      productName: configuration['pages.productName'],
      logo: `${prefix}${pages.logo.path}`,
      version,
      implicitLifetime: configuration['implicit.lifetime'],
    }),
    isHttps: configuration.baseUrl.startsWith('https:'),
    pages: shownPages,
  });
}
