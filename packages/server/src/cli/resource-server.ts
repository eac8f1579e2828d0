import { userInfo } from 'node:os';
import { type Identity, noIdentityProvider, resourceServerFields } from '@watchword/protocol';
import { Command } from 'commander';
import { deleteCommand } from './delete-command.ts';
import { fieldsOf, withFieldOptions } from './field-options.ts';
import { wholeNumber } from './options.ts';
import { withLimit } from './paging.ts';
import { UsageError } from './usage-error.ts';
import { recordCommand, withAdministration } from './with-administration.ts';

const secretNote = 'The secret is shown this once. Keep it where the resource server reads it.';
const resetNote =
  'Note: scopes of the clients that resetClients names have changed, so they are no longer trusted. An administrator can look at them and confirm them.';
const ownerHelp = `
A user owns what they register over the administration interface. The owner is a name and its identity provider: the
name of the authentication module, such as password, or the entity id of a SAML identity provider. Only administrators
see a resource server whose owner has no identity provider.`;

export function resourceServerCommand(): Command {
  return new Command('resource-server')
    .description('register and manage resource servers (APIs)')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(updateCommand())
    .addCommand(
      deleteCommand(
        'delete a resource server, its clients and all their tokens',
        ['<key>', 'key of the resource server'],
        ({ administration }) => administration.resourceServers,
      ),
    )
    .addCommand(rotateCommand());
}

function createCommand(): Command {
  const command = recordCommand('create', 'register a resource server; prints its key and secret');
  return withFieldOptions(command, resourceServerFields, 'create', { contactName: userInfo().username })
    .option('--owner <principal>', 'principal name of its owner (default: operator)')
    .option('--owner-authority <name>', 'the identity provider of that name; none when absent')
    .addHelpText('after', ownerHelp)
    .action((options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const fields = fieldsOf(resourceServerFields, options, 'create');
        output.record({ ...(await resourceServers.create(fields, ownerOf(options))) }, secretNote);
      }),
    );
}

function listCommand(): Command {
  return withLimit(recordCommand('list', 'list resource servers'))
    .option('--after <id>', 'only records with a greater id', wholeNumber('--after', 0), 0)
    .action((options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const { after, limit } = options;
        const found = await resourceServers.list({ after, limit });
        output.list(found, ['id', 'key', 'name', 'scopes', 'owner', 'contactName']);
      }),
    );
}

function showCommand(): Command {
  return recordCommand('show', 'print one resource server')
    .argument('<key>', 'key of the resource server')
    .action((key, options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        output.record({ ...(await resourceServers.find(key)) });
      }),
    );
}

function updateCommand(): Command {
  const command = recordCommand(
    'update',
    'change a resource server; what is not named stays as it is',
  ).argument('<key>', 'key of the resource server');
  return withFieldOptions(command, resourceServerFields, 'update')
    .option('--owner <principal>', 'give it to this principal')
    .option('--owner-authority <name>', 'the identity provider of that name')
    .addHelpText('after', `\nOf scopes that it loses, its clients lose theirs.\n${ownerHelp}`)
    .action((key, options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const changed = fieldsOf(resourceServerFields, options, 'update');
        const server = await resourceServers.update(key, changed, ownerOf(options));
        output.record({ ...server }, server.resetClients && resetNote);
      }),
    );
}

/** The owner that the options name. @throws UsageError */
function ownerOf({
  owner,
  ownerAuthority,
}: Readonly<Record<string, string | undefined>>): Identity | undefined {
  if (owner !== undefined) return { name: owner, authority: ownerAuthority ?? noIdentityProvider };
  if (ownerAuthority === undefined) return undefined;
  throw new UsageError('--owner-authority: goes with --owner <principal>');
}

function rotateCommand(): Command {
  return recordCommand('rotate-secret', 'give a resource server a new secret')
    .argument('<key>', 'key of the resource server')
    .option('--overlap <seconds>', 'how long the old secret is valid too', wholeNumber('--overlap', 0), 0)
    .action((key, options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const secret = await resourceServers.rotateSecret(key, options.overlap);
        output.record({ key, secret }, secretNote);
      }),
    );
}
