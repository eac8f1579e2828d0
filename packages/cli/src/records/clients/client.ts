import type { AnsweredClient } from '@watchword/administration';
import { type ClientRegistration, clientFields } from '@watchword/protocol';
import { Command } from 'commander';
import type { Administration } from '../../administration/administration.ts';
import { recordCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';
import { operator } from '../../command/operator.ts';
import { type Options, wholeNumber } from '../../command/options.ts';
import { checkOverlap } from '../../command/overlap.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { UsageError } from '../../command/usage-error.ts';
import { deleteCommand } from '../delete-command.ts';
import { type Form, fieldsOf, withFieldOptions } from '../field-options.ts';
import { ifMissingHelp, unchanged } from '../if-missing.ts';
import { withRecordIds } from '../resource-servers/other-resource-servers.ts';
import { clientErrorsCommand } from './client-errors.ts';
import { clientSecretCommands } from './client-secrets.ts';
import { issuersOfFile, keysOfFile } from './key-file.ts';
import { weakSecretColumn, weakSecretNote } from './weak-secrets.ts';

const secretNote = 'The secret is shown only once. Store it where the client reads it.';
const noGrantNote =
  'Note: this client cannot get a token yet. Set --allow-client-credentials, or a --redirect-uri to which users return.\n';
const resetNote =
  'Note: a field that an administrator had confirmed has changed. So the fields named by reset are false now. An administrator can check the client and confirm it.';
const withheldNote =
  'Note: until an administrator confirms this client, it does not get the scopes named by withheldScopes.';
const userinfoNote =
  'Note: the application gets the claims of the user from the userinfo endpoint. If it reads the ID token alone, as Kubernetes, Vault and Argo CD do: watchword client update';
const keysNote =
  'It has no secret: it authenticates with assertions, which it signs with its private key, or an issuer for it.';
const publicNote = 'A public client has no secret: it authenticates with its clientId alone, and uses PKCE.';
const lacksSecretNote =
  'Note: this client is confidential and has no secret, so it cannot authenticate. Give it one: watchword client rotate-secret';
const publicHelp = '--public is the same as --confidential false.';

/** Access tokens of a client that names no lifetime, in seconds. */
const usualLifetime = 3600;

export function clientCommand(): Command {
  const command = new Command('client')
    .description('register and manage client applications')
    .addHelpText(
      'before',
      examples(
        'list',
        'create --name "My app" --resource-server my-api --scope read --allow-client-credentials',
      ),
    )
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(clientErrorsCommand())
    .addCommand(updateCommand())
    .addCommand(confirmCommand())
    .addCommand(
      deleteCommand(
        'delete a client and all its tokens',
        ['<clientId>', 'clientId of the client', 'night-job'],
        ({ administration }) => administration.clients,
      ),
    )
    .addCommand(rotateCommand());
  for (const each of clientSecretCommands()) command.addCommand(each);
  return command;
}

function createCommand(): Command {
  const command = recordCommand(
    'create',
    'register a client of a resource server; prints its clientId and secret',
  )
    .requiredOption('--resource-server <key>', 'key of the resource server it belongs to')
    .option(
      '--client-id <clientId>',
      'its client_id, of a-z 0-9 _ -; made from the name when absent; no later change is possible',
    )
    .option('--if-missing', ifMissingHelp('client', '--client-id'))
    .addHelpText(
      'before',
      examples(
        '--name "Night job" --resource-server my-api --scope read --allow-client-credentials',
        '--name "My app" --resource-server my-api --scope read --redirect-uri https://app.example/callback --public',
        '--name "Portal" --resource-server my-api --redirect-uri https://portal.example/callback --openid-scope email',
        '--name "Vault" --resource-server my-api --redirect-uri https://vault.example/oidc --openid-scope groups --claims-in-id-token',
      ),
    );
  const fallbacks = { contactName: operator, expireDuration: usualLifetime };
  return withPublicOption(withFieldOptions(command, clientFields, 'create', fallbacks)).action((options) =>
    withAdministration(options, async ({ administration: { clients }, output }) => {
      const fields = await registrationOf(options, 'create', clients);
      if (options.ifMissing === true) {
        const found = await clients.named(options.resourceServer, fields.clientName ?? '', options.clientId);
        if (found !== undefined) return output.done(...unchanged('a client', { clientId: found.clientId }));
      }
      const { client, secret } = await clients.create(options.resourceServer, fields, options.clientId);
      const shown = secret === undefined ? {} : { secret };
      const notes = [
        secret !== undefined ? secretNote : client.confidential ? keysNote : publicNote,
        ...withheldNotes(client),
        ...(readsUserinfo(client) ? [`${userinfoNote} ${client.clientId} --claims-in-id-token true`] : []),
      ];
      output.issued({ ...client }, { clientId: client.clientId, ...shown }, notes.join('\n'));
      if (!client.allowedClientCredentials && client.redirectUris.length === 0)
        options.io.stderr.write(noGrantNote);
    }),
  );
}

function readsUserinfo({ claimsInIdToken, openidScopes, redirectUris }: AnsweredClient): boolean {
  return !claimsInIdToken && openidScopes.length > 0 && redirectUris.length > 0;
}

function withheldNotes({ withheldScopes }: AnsweredClient): readonly string[] {
  return withheldScopes === undefined ? [] : [withheldNote];
}

function withPublicOption(command: Command): Command {
  return command
    .option('--public', 'it can keep no secret, as an application in a browser or on a device')
    .addHelpText('after', `\n${publicHelp}\n`);
}

/** The fields that the options name. @throws UsageError */
async function registrationOf(
  given: Options,
  form: Form,
  { resourceServerId }: Pick<Administration['clients'], 'resourceServerId'>,
): Promise<Partial<ClientRegistration>> {
  const named = given.otherResourceServers as readonly string[] | undefined;
  const keyFile = given.jwks as string | undefined;
  const issuerFile = given.assertionIssuers as string | undefined;
  const options: Options = {
    ...given,
    ...(named && { otherResourceServers: await withRecordIds(named, resourceServerId) }),
    ...(keyFile !== undefined && { jwks: await keysOfFile(keyFile, given.io) }),
    ...(issuerFile !== undefined && { assertionIssuers: await issuersOfFile(issuerFile, given.io) }),
  };
  const fields = fieldsOf(clientFields, options, form);
  if (options.public === undefined) return fields;
  if (fields.confidential === true) {
    throw new UsageError('--public: expected no --confidential true beside it; leave out one of them');
  }
  return { ...fields, confidential: false };
}

const clientColumns = [
  'id',
  'clientId',
  'clientName',
  'scopes',
  'confidential',
  'allowedClientCredentials',
  'resourceserver_key',
  'expireDuration',
  'trusted',
  'withheldScopes',
];

function listCommand(): Command {
  return withLimit(recordCommand('list', 'list clients'))
    .option('--resource-server <key>', 'only clients of this resource server')
    .addHelpText('before', examples('--resource-server my-api'))
    .option('--after <id>', 'only records with a greater id', wholeNumber('--after', 0), 0)
    .action((options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const { resourceServer, after } = options;
        const found = await clients.list({ resourceServer, after, limit: limitOf(options) });
        output.list(found.rows, [...clientColumns, ...weakSecretColumn(found.rows)], found);
      }),
    );
}

function showCommand(): Command {
  return recordCommand('show', 'print one client')
    .argument('<clientId>', 'clientId of the client')
    .addHelpText('before', examples('night-job'))
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const client = await clients.find(clientId);
        output.record({ ...client }, weakSecretNote(client, 'client', clientId));
      }),
    );
}

function updateCommand(): Command {
  const command = recordCommand('update', 'change a client; fields that are not named stay as they are')
    .argument('<clientId>', 'clientId of the client')
    .addHelpText('before', examples('night-job --expire-duration 3600'));
  return withPublicOption(withFieldOptions(command, clientFields, 'update')).action((clientId, options) =>
    withAdministration(options, async ({ administration: { clients }, output }) => {
      const client = await clients.update(clientId, await registrationOf(options, 'update', clients));
      const notes = [
        ...(client.reset === undefined ? [] : [resetNote]),
        ...(client.lacksSecret === true ? [`${lacksSecretNote} ${clientId}`] : []),
        ...withheldNotes(client),
      ];
      output.record({ ...client }, notes.length === 0 ? undefined : notes.join('\n'));
    }),
  );
}

function confirmCommand(): Command {
  return recordCommand('confirm', 'confirm a client as it is, so that it is trusted; for administrators')
    .argument('<clientId>', 'clientId of the client')
    .addHelpText('before', examples('night-job'))
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        output.record({ ...(await clients.confirm(clientId)) });
      }),
    );
}

function rotateCommand(): Command {
  return recordCommand('rotate-secret', 'give a client a new secret')
    .argument('<clientId>', 'clientId of the client')
    .option(
      '--overlap <seconds>',
      'how long each secret before it stays valid',
      wholeNumber('--overlap', 0),
      0,
    )
    .option('--revoke', 'also revoke every token of the client: another party had the secret', false)
    .addHelpText('before', examples('night-job --overlap 3600', 'night-job --revoke'))
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const { overlap, revoke } = options;
        checkOverlap(revoke, overlap);
        const secret = await clients.rotateSecret(clientId, overlap);
        // With the old secret no token can be issued any more.
        if (revoke) await clients.revokeTokens(clientId);
        output.issued({ ...(revoke && { tokensRevoked: true }) }, { clientId, secret }, secretNote);
      }),
    );
}
