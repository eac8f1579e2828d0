import { Command } from 'commander';
import { checkSubject, type GrantTools, type SelectedGrants } from '../../administration/grants.ts';
import {
  type AdministrationContext,
  recordCommand,
  withAdministration,
} from '../../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import type { Options } from '../../command/options.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { timeOption } from '../../command/times.ts';
import { UsageError } from '../../command/usage-error.ts';
import { uuid } from '../../command/uuid.ts';
import { grantsInWords } from './grants-in-words.ts';

const listHelp = `
A grant is listed while a code or a token under it can be valid, the newest first. After that, a remembered consent is
listed alone: the client gets its scopes again without a question. lastUsed is when a token was last issued under the grant.`;

const endHelp = `
The code and all tokens of a grant are revoked. What its resource owner consented to for the client is forgotten, so that the
client must ask again. Of several options all must fit. With options, the command shows the numbers first.
${confirmationHelp}`;

const grantColumns = [
  'id',
  'resourceOwnerId',
  'resourceOwnerAuthority',
  'clientId',
  'scopes',
  'consentedScopes',
  'otherResourceServers',
  'creationDate',
  'lastUsed',
  'refreshToken',
  'accessTokens',
];

export function grantCommand(): Command {
  return new Command('grant')
    .description('list who has access, and end it')
    .addHelpText('before', examples('list', 'end --client demo-app'))
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(endCommand());
}

function listCommand(): Command {
  return withSelection(withLimit(recordCommand('list', 'list who has access')))
    .option('--resource-owner <name>', 'only resource owners of this name, at any identity provider')
    .addHelpText('after', listHelp)
    .addHelpText('before', examples('--client demo-app', '--resource-owner emma --json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { grants }, output }) => {
        const { resourceOwner } = options;
        const found = await grants.list({
          ...selectionOf(options),
          resourceOwner,
          limit: limitOf(options),
        });
        output.list(found.rows, grantColumns, found);
      }),
    );
}

function showCommand(): Command {
  return recordCommand('show', 'print one grant: resource owner, client, scopes, dates, tokens')
    .argument('<id>', 'id of the grant', grantId)
    .addHelpText('before', examples('019b76da-a800-7a57-899d-6e21a5a8121f'))
    .action((id, options) =>
      withAdministration(options, async ({ administration: { grants }, output }) => {
        output.record({ ...(await grants.find(id)) });
      }),
    );
}

function endCommand(): Command {
  return withSelection(
    recordCommand('end', 'end one grant, or all of a resource owner, client or resource server'),
  )
    .argument('[id]', 'id of the grant', grantId)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', endHelp)
    .addHelpText(
      'before',
      examples(
        '019b76da-a800-7a57-899d-6e21a5a8121f',
        '--client demo-app',
        '--client demo-app --since 2026-11-22T20:00Z --yes',
        '--subject 3q2-7wAAAAAAAAAAAAAAAA --client demo-app --yes',
      ),
    )
    .action((id: string | undefined, options) => {
      const selection = selectionOf(options);
      const { since, ...named } = selection;
      const isSelected = Object.values(named).some((value) => value !== undefined);
      if ((id !== undefined) === isSelected || (id !== undefined && since !== undefined)) {
        throw new UsageError(
          'grant end: expected either the id of a grant, or --subject, --client or --resource-server; got both or neither',
        );
      }
      return withAdministration(options, async (context) => {
        if (id === undefined) await endSelected(selection, options, context);
        else {
          const { administration, output } = context;
          await administration.grants.end(id);
          output.done(`Ended ${id}, ${administration.effect}.`, { ended: id });
        }
      });
    });
}

async function endSelected(
  selection: SelectedGrants,
  options: Options,
  { administration: { grants, effect }, output }: AdministrationContext,
): Promise<void> {
  await checkSubject(grants, selection.subject);
  if (!(await isConfirmed(options, () => question(selection, grants), 'Nothing was ended.'))) return;
  const ended = await grants.endAll(selection);
  output.done(`Ended ${grantsInWords(ended)}, ${effect}.`, { ...ended });
}

async function question(selection: SelectedGrants, grants: GrantTools): Promise<string> {
  const { isLeast, ...found } = await grants.count(selection);
  return `End ${isLeast ? 'at least ' : ''}${grantsInWords(found)}?`;
}

function withSelection(command: Command): Command {
  return command
    .option(
      '--subject <subject>',
      'only this resource owner, by the subject that "watchword grant show" prints',
    )
    .option('--client <clientId>', 'only this client')
    .option('--resource-server <key>', 'only clients of this resource server')
    .option('--since <time>', 'only what was granted at this time or later', timeOption('--since'));
}

function selectionOf({ subject, client, resourceServer, since }: Options): SelectedGrants {
  return { subject, client, resourceServer, since } as SelectedGrants;
}

const grantId = uuid('the id of a grant, as "watchword grant list" prints it');
