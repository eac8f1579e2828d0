import { accountClaimFields, accountDigest, accountIdentityProvider, OAuthError } from '@watchword/protocol';
import { Command, Option } from 'commander';
import type { AccountTools } from '../../administration/accounts.ts';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import { databaseCommand, filePath, type Options, repeated } from '../../command/options.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { withStore } from '../../command/with-store.ts';
import { fieldsOf, withFieldOptions } from '../field-options.ts';
import { unchanged } from '../if-missing.ts';
import { newPassword, passwordInFile } from './new-password.ts';
import {
  change,
  changeCommand,
  claimsHelp,
  inWords,
  setAdminCommand,
  setGroupsCommand,
  stateCommand,
  updateCommand,
} from './user-changes.ts';
import { linksCommand, unlinkCommand } from './user-links.ts';

const passwordHelp = `
The command asks for the password at the terminal, or reads it from a pipe or a file. A password has at least 15
characters of any kind, and at most 1024 bytes. It is none of 100,000 that were in breaches, and not made of names of the user.`;
const linkNote =
  'The user sets a password, or adds a passkey, with the reset link, once and within an hour. It is shown only once.';
const linkHelp = `
${linkNote} Send it over a channel that only the user can read. Links to other identity providers stay: "watchword user unlink".`;
const remoteHelp = `
With --url the command asks for no password, and prints a reset link.
${linkNote}`;

const deleteHelp = `
All login sessions of the account end, its tokens are revoked, and its remembered consents are deleted. A later account with
the same username belongs to another person and has another subject. To lock a user out for a time, use
"watchword user disable".

An account that owns resource servers cannot be deleted. "watchword resource-server update <key> --owner" changes the owner.

${confirmationHelp}`;

export function userCommand(): Command {
  return new Command('user')
    .description('create and manage local accounts of users who log in with a password')
    .addHelpText('before', examples('list', 'create emma --display-name "Emma Smith"'))
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(updateCommand())
    .addCommand(
      stateCommand('disable', 'lock a user out: no login is possible, and all tokens are revoked', true),
    )
    .addCommand(stateCommand('enable', 'let a user log in again', false))
    .addCommand(deleteCommand())
    .addCommand(setPasswordCommand())
    .addCommand(resetPasswordCommand())
    .addCommand(linksCommand())
    .addCommand(unlinkCommand())
    .addCommand(setAdminCommand())
    .addCommand(setGroupsCommand())
    .addCommand(digestCommand());
}

function createCommand(): Command {
  const command = withPassword(administratorCommand('create', 'create an account', 'accounts'))
    .addHelpText('after', `${remoteHelp}${claimsHelp}`)
    .argument('<username>', 'the name to log in with, exactly as the user types it')
    .option('--display-name <text>', 'the name that pages show; the username when absent')
    .option('--group <name>', 'a group; may be repeated', repeated)
    .option('--role <name>', 'a role; may be repeated', repeated)
    .addOption(
      new Option(
        '--passkey',
        'no password: the command prints a link with which the user adds a passkey',
      ).conflicts(['passwordStdin', 'passwordFile']),
    )
    .option('--admin', 'an administrator, who sees and changes every record')
    .option('--if-missing', 'leave an account with this username as it is, and exit with 0')
    .addHelpText(
      'before',
      examples(
        'emma --display-name "Emma Smith" --email emma@example.org --email-verified true --group staff',
        'root --admin --password-stdin < password.txt',
        'root --admin --if-missing --password-file /run/secrets/password',
      ),
    );
  return withFieldOptions(command, accountClaimFields, 'create').action((username, options) =>
    withAdministration(options, async ({ administration: { accounts }, output }) => {
      const registration = {
        ...fieldsOf(accountClaimFields, options, 'create'),
        username,
        displayName: options.displayName ?? username,
        roles: options.role ?? [],
        groups: options.group ?? [],
        adminPrincipal: options.admin === true,
      };
      if (options.ifMissing === true && (await isKnown(accounts, username))) {
        return output.done(...unchanged('an account', { username }));
      }
      const begins = options.passkey === true ? 'passkey' : askPassword(options);
      const account = await accounts.create(registration, begins);
      const { resetLink } = account;
      if (resetLink === undefined) output.record(account);
      else output.issued(account, { username, resetLink }, linkNote);
    }),
  );
}

function listCommand(): Command {
  return withLimit(administratorCommand('list', 'list accounts', 'accounts'))
    .option('--after <username>', 'only usernames after this one')
    .addHelpText('before', examples('', '--json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { accounts }, output }) => {
        const found = await accounts.list({ after: options.after, limit: limitOf(options) });
        const columns = ['username', 'displayName', 'email', 'adminPrincipal', 'disabled', 'groups', 'roles'];
        output.list(found.rows, [...columns, 'creationDate'], found);
      }),
    );
}

function showCommand(): Command {
  return administratorCommand('show', 'print one account', 'accounts')
    .argument('<username>', 'username of the account')
    .addHelpText('before', examples('emma'))
    .action((username, options) =>
      withAdministration(options, async ({ administration: { accounts }, output }) => {
        output.record(await accounts.find(username));
      }),
    );
}

function deleteCommand(): Command {
  return administratorCommand('delete', 'delete an account permanently', 'accounts')
    .argument('<username>', 'username of the account')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', deleteHelp)
    .addHelpText('before', examples('emma', 'emma --yes'))
    .action((username, options) =>
      withAdministration(options, async ({ administration: { accounts }, output }) => {
        await accounts.find(username);
        const question = () => `Delete the account ${username} permanently?`;
        if (!(await isConfirmed(options, question, 'Nothing was deleted.'))) return;
        const ended = await accounts.delete(username);
        output.done(`Deleted ${username}. ${inWords(ended)}`, { deleted: username, ...ended });
      }),
    );
}

function setPasswordCommand(): Command {
  return withPassword(changeCommand('set-password', 'set a new password for an account, not with --url'))
    .addHelpText('before', examples('emma', 'emma --password-stdin < password.txt'))
    .action((username, options) =>
      change(options, username, {}, `${username} has a new password.`, (accounts) =>
        accounts.setPassword(username, askPassword(options)),
      ),
    );
}

function resetPasswordCommand(): Command {
  return changeCommand('reset-password', 'remove the password of an account, and print a reset link')
    .option('--passkey', 'the user adds a passkey with the link; not for an account that has a factor')
    .addHelpText('after', linkHelp)
    .addHelpText('before', examples('emma', 'emma --passkey', 'emma --url https://login.example.org'))
    .action((username, options) =>
      withAdministration(options, async ({ administration: { accounts }, output }) => {
        const { resetLink, ...ended } = await accounts.resetPassword(username, options.passkey === true);
        output.issued({ ...ended }, { username, resetLink }, linkNote);
      }),
    );
}

function digestCommand(): Command {
  return databaseCommand('digest', 'print the digest that the log contains instead of the name of an account')
    .argument('<name>', 'the exact name; the account need not exist')
    .addHelpText('before', examples('emma'))
    .option(
      '--identity-provider <name>',
      'identity provider of the name; the local accounts when absent',
      accountIdentityProvider,
    )
    .action((name, options) =>
      withStore(options, async ({ store, output }) => {
        const identity = { identityProvider: options.identityProvider, name };
        const account = accountDigest(await store.digestKey.read(), identity);
        output.done(account, { name, identityProvider: identity.identityProvider, account });
      }),
    );
}

function withPassword(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password from standard input')
    .addOption(
      new Option('--password-file <path>', 'read the password from a file, such as a mounted secret')
        .argParser(filePath('--password-file'))
        .conflicts('passwordStdin'),
    )
    .addHelpText('after', passwordHelp);
}

async function isKnown(accounts: AccountTools, username: string): Promise<boolean> {
  try {
    await accounts.find(username);
    return true;
  } catch (error) {
    if (error instanceof OAuthError && error.kind === 'not_found') return false;
    throw error;
  }
}

/** Asks for the password only when it is needed. */
function askPassword(options: Options): () => Promise<string> {
  const { passwordFile, passwordStdin, io } = options;
  return () =>
    typeof passwordFile === 'string' ? passwordInFile(passwordFile) : newPassword(passwordStdin === true, io);
}
