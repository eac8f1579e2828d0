import { userInfo } from 'node:os';
import { nobodysAuthority, type ResourceServerRegistration, resourceServerRecord } from '@watchword/protocol';
import { Command } from 'commander';
import { existingResourceServer, toolAdministration } from './administration.ts';
import { databaseCommand, given, members, repeated, wholeNumber } from './options.ts';
import { withLimit } from './paging.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

const secretNote = 'The secret is shown this once. Keep it where the resource server reads it.';
const ownerHelp = `
A person owns what they register over the administration interface. Who that is, is said by a name and by the
authority that vouches for it: the name of the authentication module, such as password, or the entity id of an
identity provider. A resource server whose owner has no authority is seen by administrators alone.`;

export function resourceServerCommand(): Command {
  return new Command('resource-server')
    .description('register and manage resource servers (APIs)')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(updateCommand())
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
    .option('--owner-authority <name>', 'who vouches for that name; nobody when absent', nobodysAuthority)
    .addHelpText('after', ownerHelp)
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const { caller, resourceServers } = toolAdministration(store);
        const fields: ResourceServerRegistration = {
          name: options.name,
          description: options.description ?? '',
          scopes: options.scope ?? [],
          contactName: options.contactName,
          contactEmail: options.contactEmail ?? '',
          thumbNailUrl: options.thumbNailUrl ?? '',
        };
        const owner = { name: options.owner, authority: options.ownerAuthority };
        const { resourceServer, secret } = await resourceServers.create(caller, { fields }, { owner });
        output.record({ ...resourceServerRecord(resourceServer), secret }, secretNote);
      }),
    );
}

function listCommand(): Command {
  return withLimit(databaseCommand('list', 'list resource servers'))
    .option('--after <id>', 'only records with a greater id', wholeNumber('--after', 0), 0)
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const found = await store.resourceServers.list({ after: options.after, limit: options.limit });
        output.list(found.map(resourceServerRecord), ['id', 'key', 'name', 'scopes', 'owner', 'contactName']);
      }),
    );
}

function showCommand(): Command {
  return databaseCommand('show', 'print one resource server')
    .argument('<key>', 'key of the resource server')
    .action((key, options) =>
      withStore(options, async ({ store, output }) => {
        output.record(resourceServerRecord(await existingResourceServer(store, key)));
      }),
    );
}

function updateCommand(): Command {
  return databaseCommand('update', 'change a resource server; what is not named stays as it is')
    .argument('<key>', 'key of the resource server')
    .option('--name <text>', 'its name, unique for its owner')
    .option('--scope <scope>', 'all its scopes from now on; may be repeated, "" for none', repeated)
    .option('--description <text>', 'what it is for')
    .option('--contact-name <text>', 'whom to ask about it')
    .option('--contact-email <address>', 'where to ask about it')
    .option('--thumb-nail-url <url>', 'its picture')
    .option('--owner <principal>', 'give it to this principal')
    .option('--owner-authority <name>', 'who vouches for that name')
    .addHelpText('after', `\nOf scopes that it loses, its clients lose theirs.\n${ownerHelp}`)
    .action((key, { owner, ownerAuthority, ...options }) => {
      if (ownerAuthority !== undefined && owner === undefined) {
        throw new UsageError('resource-server update: --owner-authority goes with --owner <principal>');
      }
      return withStore(options, async ({ store, output }) => {
        const { caller, resourceServers } = toolAdministration(store);
        const { id } = await existingResourceServer(store, key);
        const { name, scope, description, contactName, contactEmail, thumbNailUrl } = options;
        const fields = { name, description, contactName, contactEmail, thumbNailUrl };
        const changed = { ...given(fields), ...(scope && { scopes: members(scope) }) };
        let updated = await resourceServers.update(caller, id, {
          apply: (current) => ({ ...current, ...changed }),
        });
        if (owner !== undefined) {
          const authority = ownerAuthority ?? nobodysAuthority;
          updated = await resourceServers.changeOwner(caller, id, { name: owner, authority });
        }
        output.record(resourceServerRecord(updated));
      });
    });
}

function deleteCommand(): Command {
  return databaseCommand('delete', 'delete a resource server, its clients and all their tokens')
    .argument('<key>', 'key of the resource server')
    .action((key, options) =>
      withStore(options, async ({ store, output }) => {
        const { caller, resourceServers } = toolAdministration(store);
        await resourceServers.delete(caller, (await existingResourceServer(store, key)).id);
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
        const { caller, resourceServers } = toolAdministration(store);
        const { id } = await existingResourceServer(store, key);
        const { secret } = await resourceServers.rotateSecret(caller, id, options.overlap);
        output.record({ key, secret }, secretNote);
      }),
    );
}
