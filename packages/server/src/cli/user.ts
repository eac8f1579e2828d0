import { userInfo } from 'node:os';
import {
  type AccountAdministration,
  accountAdministration,
  accountDigest,
  accountIdentityProvider,
  commandLineCaller,
  type EndedByChange,
  OAuthError,
} from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { Argument, Command } from 'commander';
import { argon2Hasher } from '../modules/authentication/password-hasher.ts';
import { systemClock, systemRandom } from '../system.ts';
import { confirmed } from './confirm.ts';
import { examples } from './examples.ts';
import { newPassword } from './new-password.ts';
import { databaseCommand, repeated } from './options.ts';
import type { Row } from './output.ts';
import { withLimit } from './paging.ts';
import { accountRow } from './records.ts';
import { withStore } from './with-store.ts';

const passwordHelp = `
The command asks for the password at the terminal, or reads it from a pipe with --password-stdin. A password has at least 8
characters of any kind, and at most 1024 bytes.`;
const endsHelp = '\nAll login sessions of the account end, and all tokens of its grants are revoked.';

const deleteHelp = `
All login sessions of the account end, its tokens are revoked, and its remembered consents are deleted. A later account with
the same username belongs to another person and has another subject. To lock a user out for a time, use
"watchword user disable".

An account that owns resource servers cannot be deleted. "watchword resource-server update <key> --owner" changes the owner.

At a terminal the command asks for confirmation, unless --yes or --json is given. In a script it does not ask.`;

export function userCommand(): Command {
  return new Command('user')
    .description('create and manage local accounts of users who log in with a password')
    .addHelpText('after', examples('list', 'create emma --display-name "Emma Smith"'))
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(
      stateCommand('disable', 'lock a user out: no login is possible, and all tokens are revoked', true),
    )
    .addCommand(stateCommand('enable', 'let a user log in again', false))
    .addCommand(deleteCommand())
    .addCommand(setPasswordCommand())
    .addCommand(setAdminCommand())
    .addCommand(setGroupsCommand())
    .addCommand(digestCommand());
}

function createCommand(): Command {
  return withPassword(databaseCommand('create', 'create an account'))
    .argument('<username>', 'the name to log in with, exactly as the user types it')
    .option('--display-name <text>', 'the name that pages show; the username when absent')
    .option('--group <name>', 'a group; may be repeated', repeated)
    .option('--role <name>', 'a role; may be repeated', repeated)
    .option('--admin', 'an administrator, who sees and changes every record')
    .addHelpText(
      'after',
      examples(
        'emma --display-name "Emma Smith" --group staff',
        'root --admin --password-stdin < password.txt',
      ),
    )
    .action((username, options) =>
      withStore(options, async ({ store, output }) => {
        if ((await store.accounts.find(username)) !== undefined) throw taken(username);
        const account = await administration(store).create(
          {
            username,
            displayName: options.displayName ?? username,
            roles: options.role ?? [],
            groups: options.group ?? [],
            adminPrincipal: options.admin === true,
          },
          await newPassword(options.passwordStdin === true, options.io),
        );
        output.record(accountRow(account));
      }),
    );
}

function listCommand(): Command {
  return withLimit(databaseCommand('list', 'list accounts'))
    .option('--after <username>', 'only usernames after this one')
    .addHelpText('after', examples('', '--json'))
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const { after, limit } = options;
        const found = await store.accounts.list({ limit, ...(after !== undefined && { after }) });
        output.list(found.map(accountRow), [
          'username',
          'displayName',
          'adminPrincipal',
          'disabled',
          'groups',
          'roles',
          'creationDate',
        ]);
      }),
    );
}

function stateCommand(name: 'disable' | 'enable', description: string, disabled: boolean): Command {
  return changeCommand(name, description)
    .addHelpText('after', examples('emma'))
    .action((username, options) =>
      change(options, username, { disabled }, `${disabled ? 'Disabled' : 'Enabled'} ${username}.`, (admin) =>
        admin.setDisabled(username, disabled),
      ),
    );
}

function deleteCommand(): Command {
  return databaseCommand('delete', 'delete an account permanently')
    .argument('<username>', 'username of the account')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', deleteHelp)
    .addHelpText('after', examples('emma', 'emma --yes'))
    .action((username, options) =>
      withStore(options, async ({ store, output }) => {
        if ((await store.accounts.find(username)) === undefined) throw unknown(username);
        const asks = options.yes !== true && options.json !== true;
        if (asks && !(await confirmed(`Delete the account ${username} permanently?`, options.io))) {
          options.io.stderr.write('Nothing was deleted.\n');
          options.io.exitCode = 1;
          return;
        }
        const ended = await administration(store).delete(username);
        output.done(`Deleted ${username}. ${inWords(ended)}`, { deleted: username, ...ended });
      }),
    );
}

function setPasswordCommand(): Command {
  return withPassword(changeCommand('set-password', 'set a new password for an account'))
    .addHelpText('after', examples('emma', 'emma --password-stdin < password.txt'))
    .action((username, options) =>
      change(options, username, {}, `${username} has a new password.`, async (admin) =>
        admin.setPassword(username, await newPassword(options.passwordStdin === true, options.io)),
      ),
    );
}

function setAdminCommand(): Command {
  return changeCommand('set-admin', 'make a user an administrator, or remove that right')
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
    .addHelpText('after', examples('emma on'))
    .action((username, state, options) => {
      const adminPrincipal = state === 'on';
      const words = `${username} is ${adminPrincipal ? 'an' : 'no'} administrator now.`;
      return change(options, username, { adminPrincipal }, words, (admin) =>
        admin.setAdminPrincipal(username, adminPrincipal),
      );
    });
}

function setGroupsCommand(): Command {
  return changeCommand('set-groups', 'replace the groups of an account')
    .argument('[groups...]', 'the new groups; none when absent')
    .addHelpText('after', examples('emma staff operators'))
    .action((username, given: string[], options) => {
      const groups = [...new Set(given)];
      const words = `${username} is in ${groups.length === 0 ? 'no group' : groups.join(', ')} now.`;
      return change(options, username, { groups }, words, (admin) => admin.setGroups(username, groups));
    });
}

function digestCommand(): Command {
  return databaseCommand('digest', 'print the digest that the log contains instead of the name of an account')
    .argument('<name>', 'the exact name; the account need not exist')
    .addHelpText('after', examples('emma'))
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

function changeCommand(name: string, description: string): Command {
  return databaseCommand(name, description)
    .argument('<username>', 'username of the account')
    .addHelpText('after', endsHelp);
}

function withPassword(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password from standard input')
    .addHelpText('after', passwordHelp);
}

/** Changes an existing account, and reports what ended with the change. */
function change(
  options: Parameters<typeof withStore>[0],
  username: string,
  changed: Row,
  words: string,
  run: (admin: AccountAdministration) => Promise<EndedByChange>,
): Promise<void> {
  return withStore(options, async ({ store, output }) => {
    if ((await store.accounts.find(username)) === undefined) throw unknown(username);
    const ended = await run(administration(store));
    output.done(`${words} ${inWords(ended)}`, { username, ...changed, ...ended });
  });
}

function inWords({ sessions, grants }: EndedByChange): string {
  if (sessions === 0 && grants === 0) return 'There was no login session to end and no grant to revoke.';
  const ended = sessions === 1 ? '1 login session ended' : `${sessions} login sessions ended`;
  const revoked =
    grants === 1 ? '1 grant was revoked with its tokens' : `${grants} grants were revoked with their tokens`;
  return `${ended}, ${revoked}.`;
}

function administration(store: Store): AccountAdministration {
  const { hash } = argon2Hasher({ random: systemRandom, concurrency: 1 });
  return accountAdministration({
    ...store,
    clock: systemClock,
    random: systemRandom,
    hashPassword: hash,
    caller: commandLineCaller(userInfo().username),
  });
}

function taken(username: string): OAuthError {
  return new OAuthError('conflict', {
    description: `There is already an account with the username ${username}; "watchword user set-password" changes its password.`,
  });
}

function unknown(username: string): OAuthError {
  return new OAuthError('not_found', {
    description: `There is no account with the username ${username}; "watchword user list" shows all.`,
  });
}
