import { printable } from '@watchword/server/runtime/log/printable';
import { version } from '@watchword/server/version';
import type { Command } from 'commander';
import { databaseCommand, loginOption, type Options } from '../command/options.ts';
import { createOutput, type Output } from '../command/output.ts';
import { UsageError } from '../command/usage-error.ts';
import { withStore } from '../command/with-store.ts';
import type { Administration } from './administration.ts';
import { type NamedServer, serverOf } from './server-of.ts';

export interface AdministrationContext {
  readonly administration: Administration;
  readonly output: Output;
}

const remoteHelp = `
With --url or --profile the command works on a server, over its administration interface, and not on a database. After
"watchword login" it does so without them too, unless a database is named. With --url its`;
/** What follows "Its" in the help of a command that every caller can use on a server. */
export const ofEverybody = `credentials are those of
"watchword login"; or WATCHWORD_ADMIN_CLIENT_ID and WATCHWORD_ADMIN_CLIENT_SECRET (or _SECRET_FILE) of a client of authorization-server-admin,
which sees the records that it registered itself, and what "watchword right give" lets it; or an access token, in
WATCHWORD_ADMIN_TOKEN or on standard input, which sees the records that its resource owner can see.`;
const credentialsHelp = `${remoteHelp} ${ofEverybody}`;
const ofAdministrator = `credentials are those of
an administrator by "watchword login"; or the access token of one, in WATCHWORD_ADMIN_TOKEN or on standard input`;

/** A command that works on the records of a database, or with `--url` over the network on the records of a server. */
export function recordCommand(name: string, description: string, help = credentialsHelp): Command {
  return remoteCommand(name, description)
    .addOption(
      loginOption(
        'work on the server of this login; "watchword profile list" lists them [env: WATCHWORD_LOGIN_PROFILE]',
      ),
    )
    .addHelpText('after', help);
}

/** A command that works on a database or, with `--url`, on a server. Of the logins it takes the default one. */
export function remoteCommand(name: string, description: string): Command {
  return databaseCommand(name, description)
    .option('--url <baseUrl>', 'work on the server with this base URL instead of a database')
    .option('--token-stdin', 'with --url: read an access token from standard input');
}

/**
 * A command for which a server demands an administrator.
 *
 * @param subject of the right by which a client that acts for itself can use it; absent: none can
 */
export function administratorCommand(
  name: string,
  description: string,
  subject?: 'accounts' | 'grants' | 'records:all',
): Command {
  const ofClient =
    subject === undefined
      ? '.'
      : `; or
WATCHWORD_ADMIN_CLIENT_ID and WATCHWORD_ADMIN_CLIENT_SECRET (or _SECRET_FILE) of a client with the right ${subject}:read or ${subject}:write.`;
  return recordCommand(name, description, `${remoteHelp} ${ofAdministrator}${ofClient}`);
}

/** Does the work on the database or the server that the options name. It is closed afterwards, also after an error. */
export async function withAdministration(
  options: Options,
  work: (context: AdministrationContext) => Promise<void>,
): Promise<void> {
  if (options.tokenStdin === true && options.url === undefined) {
    throw new UsageError('--token-stdin: expected --url <baseUrl> too; add the base URL of the server');
  }
  const server = await serverOf(options);
  if (server === undefined) {
    const { localAdministration } = await import('./local/administration.ts');
    return withStore(options, async ({ store, output, configuration }) =>
      work({ administration: await localAdministration(store, configuration), output }),
    );
  }
  await withServer(server, options, work);
}

async function withServer(
  { url, profile }: NamedServer,
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
  if (profile !== undefined) sayServer(profile, options);
  const source = { baseUrl, io: options.io, fromStandardInput: options.tokenStdin === true };
  const { token, renew, end } = await remoteAccess({ ...source, profile: profile?.name }, fetch);
  const userAgent = `watchword/${version}`;
  const admin = createAdminClient({ baseUrl, token, ...(renew && { renew }), userAgent, fetch });
  try {
    await work({
      administration: administrationBy(admin),
      output: createOutput(options.json === true, options.io),
    });
  } finally {
    await end();
  }
}

/** The command names no server, or only by a profile. A script that names it knows. */
function sayServer({ baseUrl, user, name }: NonNullable<NamedServer['profile']>, options: Options): void {
  if (options.json === true && options.loginProfile !== undefined) return;
  options.io.stderr.write(`${printable(`Server: ${baseUrl}, as ${user} (profile ${name})`)}\n`);
}
