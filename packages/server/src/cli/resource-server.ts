import { userInfo } from 'node:os';
import { type Identity, nobodysAuthority, type ResourceServerRegistration } from '@watchword/protocol';
import { Command } from 'commander';
import { deleteCommand } from './delete-command.ts';
import { given, members, repeated, wholeNumber } from './options.ts';
import { withLimit } from './paging.ts';
import { UsageError } from './usage-error.ts';
import { recordCommand, withAdministration } from './with-administration.ts';

const secretNote = 'The secret is shown this once. Keep it where the resource server reads it.';
const resetNote =
  'Note: scopes of the clients that resetClients names have changed, so they are no longer trusted. An administrator can look at them and confirm them.';
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
  return recordCommand('create', 'register a resource server; prints its key and secret')
    .requiredOption('--name <text>', 'its name, unique for its owner')
    .option('--scope <scope>', 'a scope its clients may be given; may be repeated', repeated)
    .option('--description <text>', 'what it is for')
    .option('--contact-name <text>', 'whom to ask about it', userInfo().username)
    .option('--contact-email <address>', 'where to ask about it')
    .option('--thumb-nail-url <url>', 'its picture')
    .option('--owner <principal>', 'principal name of its owner (default: operator)')
    .option('--owner-authority <name>', 'who vouches for that name; nobody when absent')
    .addHelpText('after', ownerHelp)
    .action((options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const fields: ResourceServerRegistration = {
          name: options.name,
          description: options.description ?? '',
          scopes: options.scope ?? [],
          contactName: options.contactName,
          contactEmail: options.contactEmail ?? '',
          thumbNailUrl: options.thumbNailUrl ?? '',
        };
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
  return recordCommand('update', 'change a resource server; what is not named stays as it is')
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
    .action((key, options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const { name, scope, description, contactName, contactEmail, thumbNailUrl } = options;
        const fields = { name, description, contactName, contactEmail, thumbNailUrl };
        const changed = { ...given(fields), ...(scope && { scopes: members(scope) }) };
        const server = await resourceServers.update(key, changed, ownerOf(options));
        output.record({ ...server }, server.resetClients && resetNote);
      }),
    );
}

/** Whom the options name as owner. @throws UsageError */
function ownerOf({
  owner,
  ownerAuthority,
}: Readonly<Record<string, string | undefined>>): Identity | undefined {
  if (owner !== undefined) return { name: owner, authority: ownerAuthority ?? nobodysAuthority };
  if (ownerAuthority === undefined) return undefined;
  throw new UsageError('--owner-authority: goes with --owner <principal>');
}

function rotateCommand(): Command {
  return recordCommand('rotate-secret', 'give a resource server a new secret')
    .argument('<key>', 'key of the resource server')
    .option('--overlap <seconds>', 'how long the old secret counts too', wholeNumber('--overlap', 0), 0)
    .action((key, options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const secret = await resourceServers.rotateSecret(key, options.overlap);
        output.record({ key, secret }, secretNote);
      }),
    );
}
