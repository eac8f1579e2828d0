import type { Command } from 'commander';
import { version } from '../version.ts';
import type { Administration } from './administration.ts';
import { localAdministration } from './local/administration.ts';
import { databaseCommand, type Options } from './options.ts';
import { createOutput, type Output } from './output.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

export interface AdministrationContext {
  readonly administration: Administration;
  readonly output: Output;
}

const remoteHelp = `
With --url it works on a server, over its administration interface, and not on a database. It is authorized by
WATCHWORD_ADMIN_CLIENT_ID and WATCHWORD_ADMIN_CLIENT_SECRET of a client of authorization-server-admin, which sees what
it has registered itself; or by an access token, in WATCHWORD_ADMIN_TOKEN or on standard input, which sees what its
resource owner may see.`;

/** A command that works on the records of a database, beside a running server, or over the network on a server. */
export function recordCommand(name: string, description: string): Command {
  return databaseCommand(name, description)
    .option('--url <baseUrl>', 'work on the server with this base URL instead of a database')
    .option('--token-stdin', 'with --url: read an access token from standard input')
    .addHelpText('after', remoteHelp);
}

/** Does the work on what the options name, and lets go of it whatever happens. */
export async function withAdministration(
  options: Options,
  work: (context: AdministrationContext) => Promise<void>,
): Promise<void> {
  const { url } = options;
  if (url === undefined) {
    if (options.tokenStdin === true) throw new UsageError('--token-stdin: goes with --url <baseUrl>');
    return withStore(options, ({ store, output, configuration }) => {
      const scopeSyntax = { commaSeparated: configuration['scope.commaSeparated'] };
      return work({ administration: localAdministration(store, scopeSyntax), output });
    });
  }
  if (options.database !== undefined) {
    throw new UsageError('--url and --database: expected one of them, for they name different places');
  }
  await withServer(String(url), options, work);
}

async function withServer(
  url: string,
  options: Options,
  work: (context: AdministrationContext) => Promise<void>,
): Promise<void> {
  // Loaded here, so that the other commands start without it.
  const { createAdminClient } = await import('@watchword/admin-client');
  const { boundedFetch } = await import('./remote/bounded-fetch.ts');
  const { remoteAdministration } = await import('./remote/administration.ts');
  const { remoteAccess, remoteBaseUrl } = await import('./remote/credentials.ts');
  const baseUrl = remoteBaseUrl(url);
  const fetch = boundedFetch();
  const access = { baseUrl, io: options.io, fromStandardInput: options.tokenStdin === true };
  const { token, end } = await remoteAccess(access, fetch);
  const userAgent = `watchword/${version}`;
  const admin = createAdminClient({ baseUrl, token: () => token, userAgent, fetch });
  try {
    await work({
      administration: remoteAdministration(admin),
      output: createOutput(options.json === true, options.io),
    });
  } finally {
    await end();
  }
}
