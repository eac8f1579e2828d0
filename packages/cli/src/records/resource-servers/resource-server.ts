import { type Identity, noIdentityProvider, resourceServerFields } from '@watchword/protocol';
import { Command } from 'commander';
import { recordCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';
import { operator } from '../../command/operator.ts';
import { wholeNumber } from '../../command/options.ts';
import { checkOverlap } from '../../command/overlap.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { UsageError } from '../../command/usage-error.ts';
import { otherClientsCommand, removeOtherClientCommand } from '../clients/other-clients.ts';
import { weakSecretColumn, weakSecretNote } from '../clients/weak-secrets.ts';
import { deleteCommand } from '../delete-command.ts';
import { fieldsOf, withFieldOptions } from '../field-options.ts';
import { ifMissingHelp, unchanged } from '../if-missing.ts';

const secretNote = 'The secret is shown only once. Store it where the resource server reads it.';
const resetNote =
  'Note: the clients named by resetClients had scopes that were removed or described in another way, so they are no longer trusted. An administrator can check and confirm them.';
const ownerHelp = `
A user owns the records that they register over the administration interface. The owner is a name and its identity
provider: the name of the authentication module, such as password, or the entity id of a SAML identity provider. Only
administrators see a resource server whose owner has no identity provider.`;

export function resourceServerCommand(): Command {
  return new Command('resource-server')
    .description('register and manage resource servers (APIs)')
    .addHelpText('before', examples('list', 'create --name "My API" --scope read --scope write'))
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(updateCommand())
    .addCommand(
      deleteCommand(
        'delete a resource server, its clients and all their tokens',
        ['<key>', 'key of the resource server', 'my-api'],
        ({ administration }) => administration.resourceServers,
      ),
    )
    .addCommand(rotateCommand())
    .addCommand(otherClientsCommand())
    .addCommand(removeOtherClientCommand());
}

function createCommand(): Command {
  const command = recordCommand('create', 'register a resource server; prints its key and secret');
  return withFieldOptions(command, resourceServerFields, 'create', { contactName: operator })
    .addHelpText('before', examples('--name "My API" --scope read --scope write'))
    .option(
      '--key <key>',
      'its key, of a-z 0-9 _ -; made from the name when absent; no later change is possible',
    )
    .option('--if-missing', ifMissingHelp('resource server', '--key'))
    .option('--owner <principal>', 'principal name of the owner (default: operator)')
    .option('--owner-identity-provider <name>', 'the identity provider of that name; none when absent')
    .addHelpText('after', ownerHelp)
    .action((options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const fields = fieldsOf(resourceServerFields, options, 'create');
        const chosen = { owner: ownerOf(options), key: options.key };
        if (options.ifMissing === true) {
          const found = await resourceServers.named(fields.name ?? '', chosen);
          if (found !== undefined) return output.done(...unchanged('a resource server', { key: found.key }));
        }
        const { secret, ...created } = await resourceServers.create(fields, chosen);
        output.issued(created, { key: created.key, secret }, secretNote);
      }),
    );
}

function listCommand(): Command {
  return withLimit(recordCommand('list', 'list resource servers'))
    .option('--after <id>', 'only records with a greater id', wholeNumber('--after', 0), 0)
    .addHelpText('before', examples('--json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const found = await resourceServers.list({ after: options.after, limit: limitOf(options) });
        const columns = ['id', 'key', 'name', 'scopes', 'owner', 'contactName'];
        output.list(found.rows, [...columns, ...weakSecretColumn(found.rows)], found);
      }),
    );
}

function showCommand(): Command {
  return recordCommand('show', 'print one resource server')
    .argument('<key>', 'key of the resource server')
    .option('--described', 'with the descriptions of its scopes')
    .addHelpText('before', examples('my-api', 'my-api --described --json'))
    .action((key, { described, ...options }) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const found = await resourceServers[described ? 'describe' : 'find'](key);
        output.record({ ...found }, weakSecretNote(found, 'resource-server', key));
      }),
    );
}

function updateCommand(): Command {
  const command = recordCommand(
    'update',
    'change a resource server; fields that are not named stay as they are',
  ).argument('<key>', 'key of the resource server');
  return withFieldOptions(command, resourceServerFields, 'update')
    .addHelpText(
      'before',
      examples('my-api --scope read', 'my-api --owner emma --owner-identity-provider password'),
    )
    .option('--owner <principal>', 'make this principal the owner')
    .option('--owner-identity-provider <name>', 'the identity provider of that name')
    .addHelpText('after', `\nWhen a resource server loses a scope, its clients lose it too.\n${ownerHelp}`)
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
  ownerIdentityProvider,
}: Readonly<Record<string, string | undefined>>): Identity | undefined {
  if (owner !== undefined)
    return { name: owner, identityProvider: ownerIdentityProvider ?? noIdentityProvider };
  if (ownerIdentityProvider === undefined) return undefined;
  throw new UsageError(
    '--owner-identity-provider: expected --owner <principal> too; add the name of the owner',
  );
}

function rotateCommand(): Command {
  return recordCommand('rotate-secret', 'give a resource server a new secret')
    .argument('<key>', 'key of the resource server')
    .option('--overlap <seconds>', 'how long the old secret stays valid', wholeNumber('--overlap', 0), 0)
    .option('--revoke', 'also revoke every token of its clients: another party had the secret', false)
    .addHelpText('before', examples('my-api --overlap 3600', 'my-api --revoke'))
    .action((key, options) =>
      withAdministration(options, async ({ administration: { resourceServers }, output }) => {
        const { overlap, revoke } = options;
        checkOverlap(revoke, overlap);
        const secret = await resourceServers.rotateSecret(key, overlap);
        if (revoke) await resourceServers.revokeTokens(key);
        output.issued({ ...(revoke && { tokensRevoked: true }) }, { key, secret }, secretNote);
      }),
    );
}
