import { userInfo } from 'node:os';
import {
  type ClientAdministration,
  clientAdministration,
  OAuthError,
  type ResourceServer,
} from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { Command } from 'commander';
import { systemClock, systemRandom } from '../system.ts';
import { databaseCommand, repeated, wholeNumber } from './options.ts';
import { withLimit } from './paging.ts';
import { clientRow } from './records.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

const secretNote = 'The secret is shown this once. Keep it where the client reads it.';
const noGrantNote =
  'Note: this client can get no token: it needs --allow-client-credentials, or a --redirect-uri to which people return.\n';
const publicNote = 'An implicit-grant client is public: it has no secret.';

export function clientCommand(): Command {
  return new Command('client')
    .description('register and manage client applications')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(deleteCommand())
    .addCommand(rotateCommand());
}

function createCommand(): Command {
  return databaseCommand('create', 'register a client of a resource server; prints its clientId and secret')
    .requiredOption('--name <text>', 'its name, which users and resource servers see')
    .requiredOption('--resource-server <key>', 'key of the resource server it belongs to')
    .option('--scope <scope>', 'a scope of the resource server; may be repeated', repeated)
    .option('--redirect-uri <uri>', 'where users return to; may be repeated', repeated)
    .option('--allow-client-credentials', 'it may act on its own behalf')
    .option('--allow-implicit-grant', 'it runs in browsers and is public')
    .option('--use-refresh-tokens', 'it is given refresh tokens')
    .option('--skip-consent', 'it is trusted: users are not asked')
    .option('--include-principal', 'implicit responses name the principal')
    .option(
      '--expire-duration <seconds>',
      'lifetime of its access tokens; 0 = no expiry',
      wholeNumber('--expire-duration', 0),
      0,
    )
    .option('--attribute <name=value>', 'read by authentication modules; may be repeated', repeated)
    .option('--description <text>', 'what it is for')
    .option('--contact-name <text>', 'whom to ask about it', userInfo().username)
    .option('--contact-email <address>', 'where to ask about it')
    .option('--thumb-nail-url <url>', 'its picture')
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const resourceServer = await existingResourceServer(store, options.resourceServer);
        const { client, secret } = await administration(store).create(
          {
            clientName: options.name,
            description: options.description ?? '',
            contactName: options.contactName,
            contactEmail: options.contactEmail ?? '',
            thumbNailUrl: options.thumbNailUrl ?? '',
            scopes: options.scope ?? [],
            redirectUris: options.redirectUri ?? [],
            allowedClientCredentials: options.allowClientCredentials === true,
            allowedImplicitGrant: options.allowImplicitGrant === true,
            useRefreshTokens: options.useRefreshTokens === true,
            skipConsent: options.skipConsent === true,
            includePrincipal: options.includePrincipal === true,
            expireDuration: options.expireDuration,
            attributes: parseAttributes(options.attribute ?? []),
          },
          resourceServer,
        );
        const shown = secret === undefined ? {} : { secret };
        output.record({ ...clientRow(client), ...shown }, secret === undefined ? publicNote : secretNote);
        if (!client.allowedClientCredentials && client.redirectUris.length === 0)
          process.stderr.write(noGrantNote);
      }),
    );
}

function listCommand(): Command {
  return withLimit(databaseCommand('list', 'list clients'))
    .option('--resource-server <key>', 'only clients of this resource server')
    .option('--after <id>', 'only records with a greater id', wholeNumber('--after', 0), 0)
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const { resourceServer: key, after, limit } = options;
        const filter =
          key === undefined ? {} : { resourceServerId: (await existingResourceServer(store, key)).id };
        const found = await store.clients.list({ ...filter, after, limit });
        output.list(found.map(clientRow), [
          'id',
          'clientId',
          'clientName',
          'scopes',
          'allowedClientCredentials',
          'resourceserver_id',
          'expireDuration',
        ]);
      }),
    );
}

function deleteCommand(): Command {
  return databaseCommand('delete', 'delete a client and all its tokens')
    .argument('<clientId>', 'clientId of the client')
    .action((clientId, options) =>
      withStore(options, async ({ store, output }) => {
        await administration(store).delete(clientId);
        output.done(`Deleted ${clientId}; all its tokens are dead, in a running server within a second.`, {
          deleted: clientId,
        });
      }),
    );
}

function rotateCommand(): Command {
  return databaseCommand('rotate-secret', 'give a client a new secret')
    .argument('<clientId>', 'clientId of the client')
    .option('--overlap <seconds>', 'how long the old secret counts too', wholeNumber('--overlap', 0), 0)
    .action((clientId, options) =>
      withStore(options, async ({ store, output }) => {
        const { secret } = await administration(store).rotateSecret(clientId, options.overlap);
        output.record({ clientId, secret }, secretNote);
      }),
    );
}

function administration({ clients }: Store): ClientAdministration {
  return clientAdministration({ clients, clock: systemClock, random: systemRandom });
}

async function existingResourceServer(store: Store, key: string): Promise<ResourceServer> {
  const found = await store.resourceServers.find(key);
  if (found !== undefined) return found;
  throw new OAuthError('not_found', {
    description: `There is no resource server with the key ${key}; "watchword resource-server list" names them.`,
  });
}

function parseAttributes(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new UsageError(`--attribute: expected name=value, got "${pair}"`);
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}
