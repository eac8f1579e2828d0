import { userInfo } from 'node:os';
import type { ClientRegistration } from '@watchword/protocol';
import { Command } from 'commander';
import { deleteCommand } from './delete-command.ts';
import { given, members, repeated, trueOrFalse, wholeNumber } from './options.ts';
import { withLimit } from './paging.ts';
import { UsageError } from './usage-error.ts';
import { recordCommand, withAdministration } from './with-administration.ts';

const secretNote = 'The secret is shown this once. Keep it where the client reads it.';
const noGrantNote =
  'Note: this client can get no token: it needs --allow-client-credentials, or a --redirect-uri to which people return.\n';
const resetNote =
  'Note: what an administrator trusted has changed, so the fields that reset names fell back to false. An administrator can look at the client and confirm it.';
const publicNote = 'An implicit-grant client is public: it has no secret.';

export function clientCommand(): Command {
  return new Command('client')
    .description('register and manage client applications')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(updateCommand())
    .addCommand(confirmCommand())
    .addCommand(
      deleteCommand(
        'delete a client and all its tokens',
        ['<clientId>', 'clientId of the client'],
        ({ administration }) => administration.clients,
      ),
    )
    .addCommand(rotateCommand());
}

function createCommand(): Command {
  return recordCommand('create', 'register a client of a resource server; prints its clientId and secret')
    .requiredOption('--name <text>', 'its name, which users and resource servers see')
    .requiredOption('--resource-server <key>', 'key of the resource server it belongs to')
    .option('--scope <scope>', 'a scope of the resource server; may be repeated', repeated)
    .option('--redirect-uri <uri>', 'where users return to; may be repeated', repeated)
    .option('--allow-client-credentials', 'it may act on its own behalf')
    .option('--allow-implicit-grant', 'it runs in browsers and is public')
    .option('--use-refresh-tokens', 'it is given refresh tokens')
    .option('--skip-consent', 'users are not asked for consent')
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
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const fields: ClientRegistration = {
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
        };
        const { client, secret } = await clients.create(options.resourceServer, fields);
        const shown = secret === undefined ? {} : { secret };
        output.record({ ...client, ...shown }, secret === undefined ? publicNote : secretNote);
        if (!client.allowedClientCredentials && client.redirectUris.length === 0)
          options.io.stderr.write(noGrantNote);
      }),
    );
}

function listCommand(): Command {
  return withLimit(recordCommand('list', 'list clients'))
    .option('--resource-server <key>', 'only clients of this resource server')
    .option('--after <id>', 'only records with a greater id', wholeNumber('--after', 0), 0)
    .action((options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const { resourceServer, after, limit } = options;
        output.list(await clients.list({ resourceServer, after, limit }), [
          'id',
          'clientId',
          'clientName',
          'scopes',
          'allowedClientCredentials',
          'resourceserver_key',
          'expireDuration',
        ]);
      }),
    );
}

function showCommand(): Command {
  return recordCommand('show', 'print one client')
    .argument('<clientId>', 'clientId of the client')
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        output.record({ ...(await clients.find(clientId)) });
      }),
    );
}

function updateCommand(): Command {
  return recordCommand('update', 'change a client; what is not named stays as it is')
    .argument('<clientId>', 'clientId of the client')
    .option('--name <text>', 'its name, which users and resource servers see')
    .option('--scope <scope>', 'all its scopes from now on; may be repeated, "" for none', repeated)
    .option(
      '--redirect-uri <uri>',
      'all its redirect URIs from now on; may be repeated, "" for none',
      repeated,
    )
    .option(
      '--allow-client-credentials <bool>',
      'it may act on its own behalf',
      trueOrFalse('--allow-client-credentials'),
    )
    .option(
      '--allow-implicit-grant <bool>',
      'it runs in browsers, is public and has no secret',
      trueOrFalse('--allow-implicit-grant'),
    )
    .option('--use-refresh-tokens <bool>', 'it is given refresh tokens', trueOrFalse('--use-refresh-tokens'))
    .option('--skip-consent <bool>', 'users are not asked for consent', trueOrFalse('--skip-consent'))
    .option(
      '--include-principal <bool>',
      'implicit responses name the principal',
      trueOrFalse('--include-principal'),
    )
    .option(
      '--expire-duration <seconds>',
      'lifetime of its access tokens; 0 = no expiry',
      wholeNumber('--expire-duration', 0),
    )
    .option(
      '--attribute <name=value>',
      'all its attributes from now on; may be repeated, "" for none',
      repeated,
    )
    .option('--description <text>', 'what it is for')
    .option('--contact-name <text>', 'whom to ask about it')
    .option('--contact-email <address>', 'where to ask about it')
    .option('--thumb-nail-url <url>', 'its picture')
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const client = await clients.update(clientId, changedFields(options));
        output.record({ ...client }, client.reset && resetNote);
      }),
    );
}

function confirmCommand(): Command {
  return recordCommand('confirm', 'vouch for a client as it is: it is trusted; for administrators')
    .argument('<clientId>', 'clientId of the client')
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        output.record({ ...(await clients.confirm(clientId)) });
      }),
    );
}

function changedFields(options: Record<string, never>): Partial<ClientRegistration> {
  const { scope, redirectUri, attribute } = options as Record<string, string[] | undefined>;
  return given({
    clientName: options.name,
    description: options.description,
    contactName: options.contactName,
    contactEmail: options.contactEmail,
    thumbNailUrl: options.thumbNailUrl,
    scopes: scope && members(scope),
    redirectUris: redirectUri && members(redirectUri),
    allowedClientCredentials: options.allowClientCredentials,
    allowedImplicitGrant: options.allowImplicitGrant,
    useRefreshTokens: options.useRefreshTokens,
    skipConsent: options.skipConsent,
    includePrincipal: options.includePrincipal,
    expireDuration: options.expireDuration,
    attributes: attribute && parseAttributes(members(attribute)),
  }) as Partial<ClientRegistration>;
}

function rotateCommand(): Command {
  return recordCommand('rotate-secret', 'give a client a new secret')
    .argument('<clientId>', 'clientId of the client')
    .option('--overlap <seconds>', 'how long the old secret counts too', wholeNumber('--overlap', 0), 0)
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const secret = await clients.rotateSecret(clientId, options.overlap);
        output.record({ clientId, secret }, secretNote);
      }),
    );
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
