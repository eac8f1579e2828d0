import type { RevokedIssue } from '@watchword/administration';
import { shellCommand } from '@watchword/protocol';
import type { Command } from 'commander';
import { checkSubject, type SelectedGrants } from '../../administration/grants.ts';
import {
  type AdministrationContext,
  recordCommand,
  withAdministration,
} from '../../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import type { Options } from '../../command/options.ts';
import { timeOption } from '../../command/times.ts';
import { UsageError } from '../../command/usage-error.ts';
import { checkIdOrInput, jwtHelp, presentedToken } from './presented-token.ts';

const sinceHelp = `
With --since, a grant under which a token was issued at that time or later is revoked, with its code and all its tokens, older ones and
JWTs too. Applications ask for new tokens: a browser with a login session gets them without a password or a question, until
"watchword session end" ends the session. Stored access tokens with which clients act for themselves are
revoked one by one. JWTs are not stored: all tokens of a client that only acts for itself are revoked, and the command names the
clients that act for users too, with exit code 1. Of clients of another owner, only what their tokens give at your resource
servers ends. Of several options all must fit. ${confirmationHelp}`;

export function revokeCommand(): Command {
  return recordCommand(
    'revoke',
    'revoke one access token, all of a client or API, or those issued since a time',
  )
    .addHelpText('after', jwtHelp)
    .argument('[id]', 'id of the token, or - to read the token itself from standard input')
    .option('--client <clientId>', 'every token of this client')
    .option('--resource-server <key>', 'every token of the clients of this resource server')
    .option(
      '--subject <subject>',
      'with --since: only this resource owner, by the subject that "watchword grant show" prints',
    )
    .option('--since <time>', 'only what was issued at this time or later', timeOption('--since'))
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', sinceHelp)
    .addHelpText(
      'before',
      examples(
        '019b76da-a800-7a57-899d-6e21a5a8121f',
        '- < token.txt',
        '--client demo-service',
        '--resource-server demo-resource-server --since 2026-11-22T20:00Z --yes',
      ),
    )
    .action((id: string | undefined, options) => {
      checkSelection(id, options);
      if (id !== undefined) checkIdOrInput(id, options);
      return withAdministration(options, (context) => revoke(id, options, context));
    });
}

/** @throws UsageError */
function checkSelection(id: string | undefined, { client, resourceServer, subject, since }: Options): void {
  const selected = [client, resourceServer, subject].filter((value) => value !== undefined).length;
  const isUsable = id !== undefined ? selected === 0 && since === undefined : selected > 0;
  if (!isUsable) {
    throw new UsageError(
      'token revoke: expected either the id of a token, or --client, --resource-server or --subject; got both or neither',
    );
  }
  if (since === undefined && (subject !== undefined || selected > 1)) {
    throw new UsageError(
      'token revoke: expected --since <time> with --subject, or with several options. To end all access of a resource owner: watchword grant end --subject <subject>',
    );
  }
}

async function revoke(
  id: string | undefined,
  options: Options,
  context: AdministrationContext,
): Promise<void> {
  const { client, resourceServer, subject, since } = options as unknown as SelectedGrants;
  if (id !== undefined) return revokeOne(id, options, context);
  if (since !== undefined) {
    return revokeIssued({ client, resourceServer, subject, since }, options, context);
  }
  const { administration, output } = context;
  const { clients, resourceServers, effect } = administration;
  if (client !== undefined) {
    await clients.revokeTokens(client);
    output.done(`Every token of ${client} is revoked, ${effect}.`, { revokedClient: client });
  } else if (resourceServer !== undefined) {
    const question = () => `Revoke every token of the clients of ${resourceServer}?`;
    if (!(await isConfirmed(options, question, 'Nothing was revoked.'))) return;
    await resourceServers.revokeTokens(resourceServer);
    const done = `Every token of the clients of ${resourceServer} is revoked, ${effect}.`;
    output.done(done, { revokedResourceServer: resourceServer });
  }
}

async function revokeOne(
  id: string,
  { io }: Options,
  { administration: { accessTokens }, output }: AdministrationContext,
): Promise<void> {
  const revoked = id === '-' ? (await accessTokens.lookUp(await presentedToken(io))).id : id;
  await accessTokens.revoke(revoked);
  output.done(`Revoked ${revoked}.`, { revoked });
}

async function revokeIssued(
  selection: SelectedGrants & { readonly since: number },
  options: Options,
  { administration: { accessTokens, grants, effect }, output }: AdministrationContext,
): Promise<void> {
  await checkSubject(grants, selection.subject);
  const time = new Date(selection.since).toISOString();
  const question = () => `Revoke what was issued since ${time}, and the grants that it belongs to?`;
  if (!(await isConfirmed(options, question, 'Nothing was revoked.'))) return;
  const revoked = await accessTokens.revokeIssued(selection);
  output.done(`Revoked ${inWords(revoked)}, ${effect}.`, { ...revoked });
  const { io } = options;
  for (const client of revoked.remaining) {
    io.stderr.write(
      `JWTs with which ${client} acts for itself are not stored, and stay valid until they expire. Its owner can revoke all its tokens, those of its users too: ${shellCommand('watchword token revoke --client {client}', { client })}\n`,
    );
    io.exitCode = 1;
  }
}

function inWords({ grants, accessTokens, clients }: RevokedIssue): string {
  const parts = [
    `${grants} ${grants === 1 ? 'grant' : 'grants'} with all tokens`,
    `${accessTokens} access ${accessTokens === 1 ? 'token' : 'tokens'} without a grant`,
    ...(clients.length > 0 ? [`every token of ${clients.join(', ')}`] : []),
  ];
  return parts.join(', ');
}
