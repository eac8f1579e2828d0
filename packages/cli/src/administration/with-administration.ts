import { version } from '@watchword/server/version';
import type { Command } from 'commander';
import { databaseCommand, type Options } from '../command/options.ts';
import { createOutput, type Output } from '../command/output.ts';
import { UsageError } from '../command/usage-error.ts';
import { withStore } from '../command/with-store.ts';
import type { Administration } from './administration.ts';

export interface AdministrationContext {
  readonly administration: Administration;
  readonly output: Output;
}

const remoteHelp = `
With --url the command works on a server, over its administration interface, and not on a database.`;
const credentialsHelp = `${remoteHelp} Its credentials are
WATCHWORD_ADMIN_CLIENT_ID and WATCHWORD_ADMIN_CLIENT_SECRET of a client of authorization-server-admin, which sees the
records that it registered itself; or an access token, in WATCHWORD_ADMIN_TOKEN or on standard input, which sees the
records that its resource owner can see.`;
const administratorHelp = `${remoteHelp} It needs the
access token of an administrator who logged in, in WATCHWORD_ADMIN_TOKEN or on standard input. The administrator gets one with
"Issue a token" on the page of a client of authorization-server-admin.`;

/** A command that works on the records of a database, or with `--url` over the network on the records of a server. */
export function recordCommand(name: string, description: string, help = credentialsHelp): Command {
  return databaseCommand(name, description)
    .option('--url <baseUrl>', 'work on the server with this base URL instead of a database')
    .option('--token-stdin', 'with --url: read an access token from standard input')
    .addHelpText('after', help);
}

/** A command for which a server demands an administrator: a client that acts for itself is refused. */
export function administratorCommand(name: string, description: string): Command {
  return recordCommand(name, description, administratorHelp);
}

/** Does the work on the database or the server that the options name. It is closed afterwards, also after an error. */
export async function withAdministration(
  options: Options,
  work: (context: AdministrationContext) => Promise<void>,
): Promise<void> {
  const { url } = options;
  if (url === undefined) {
    if (options.tokenStdin === true)
      throw new UsageError('--token-stdin: expected --url <baseUrl> too; add the base URL of the server');
    const { localAdministration } = await import('./local/administration.ts');
    return withStore(options, async ({ store, output, configuration }) =>
      work({ administration: await localAdministration(store, configuration), output }),
    );
  }
  if (options.database !== undefined || options.databaseUrlFile !== undefined) {
    throw new UsageError(
      '--url and --database: expected only one of them, because they name different places',
    );
  }
  await withServer(String(url), options, work);
}

async function withServer(
  url: string,
  options: Options,
  work: (context: AdministrationContext) => Promise<void>,
): Promise<void> {
  // Loaded here, so that the other commands start without this package.
  const { createAdminClient } = await import('@watchword/admin-client');
  const { boundedFetch } = await import('./remote/bounded-fetch.ts');
  const { administrationBy } = await import('./administration.ts');
  const { remoteAccess, remoteBaseUrl } = await import('./remote/credentials.ts');
  const baseUrl = remoteBaseUrl(url);
  const fetch = boundedFetch();
  const access = { baseUrl, io: options.io, fromStandardInput: options.tokenStdin === true };
  const { token, end } = await remoteAccess(access, fetch);
  const userAgent = `watchword/${version}`;
  const admin = createAdminClient({ baseUrl, token: () => token, userAgent, fetch });
  try {
    await work({
      administration: administrationBy(admin),
      output: createOutput(options.json === true, options.io),
    });
  } finally {
    await end();
  }
}
