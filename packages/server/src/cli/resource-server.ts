import { userInfo } from 'node:os';
import { resourceServerAdministration } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { Command } from 'commander';
import { systemClock, systemRandom } from '../system.ts';
import { databaseCommand, repeated, wholeNumber } from './options.ts';
import { withLimit } from './paging.ts';
import { resourceServerRow } from './records.ts';
import { withStore } from './with-store.ts';

const secretNote = 'The secret is shown this once. Keep it where the resource server reads it.';

export function resourceServerCommand(): Command {
  return new Command('resource-server')
    .description('register and manage resource servers (APIs)')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(deleteCommand())
    .addCommand(rotateCommand());
}

function createCommand(): Command {
  return databaseCommand('create', 'register a resource server; prints its key and secret')
    .requiredOption('--name <text>', 'its name, unique for its owner')
    .option('--scope <scope>', 'a scope its clients may be given; may be repeated', repeated)
    .option('--description <text>', 'what it is for')
    .option('--contact-name <text>', 'whom to ask about it', userInfo().username)
    .option('--contact-email <address>', 'where to ask about it')
    .option('--thumb-nail-url <url>', 'its picture')
    .option('--owner <principal>', 'principal name of its owner', 'operator')
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const { resourceServer, secret } = await administration(store).create(
          {
            name: options.name,
            description: options.description ?? '',
            scopes: options.scope ?? [],
            contactName: options.contactName,
            contactEmail: options.contactEmail ?? '',
            thumbNailUrl: options.thumbNailUrl ?? '',
          },
          options.owner,
        );
        output.record({ ...resourceServerRow(resourceServer), secret }, secretNote);
      }),
    );
}

function listCommand(): Command {
  return withLimit(databaseCommand('list', 'list resource servers'))
    .option('--after <id>', 'only records with a greater id', wholeNumber('--after', 0), 0)
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const found = await store.resourceServers.list({ after: options.after, limit: options.limit });
        output.list(found.map(resourceServerRow), ['id', 'key', 'name', 'scopes', 'owner', 'contactName']);
      }),
    );
}

function deleteCommand(): Command {
  return databaseCommand('delete', 'delete a resource server, its clients and all their tokens')
    .argument('<key>', 'key of the resource server')
    .action((key, options) =>
      withStore(options, async ({ store, output }) => {
        await administration(store).delete(key);
        output.done(
          `Deleted ${key} with its clients; all their tokens are dead, in a running server within a second.`,
          { deleted: key },
        );
      }),
    );
}

function rotateCommand(): Command {
  return databaseCommand('rotate-secret', 'give a resource server a new secret')
    .argument('<key>', 'key of the resource server')
    .option('--overlap <seconds>', 'how long the old secret counts too', wholeNumber('--overlap', 0), 0)
    .action((key, options) =>
      withStore(options, async ({ store, output }) => {
        const { secret } = await administration(store).rotateSecret(key, options.overlap);
        output.record({ key, secret }, secretNote);
      }),
    );
}

function administration({ resourceServers }: Store) {
  return resourceServerAdministration({ resourceServers, clock: systemClock, random: systemRandom });
}
