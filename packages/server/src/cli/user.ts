import { userInfo } from 'node:os';
import {
  type AccountAdministration,
  accountAdministration,
  accountAuthority,
  accountDigest,
  commandLineCaller,
  type EndedByChange,
  OAuthError,
} from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { Argument, Command } from 'commander';
import { argon2Hasher } from '../modules/authentication/password-hasher.ts';
import { systemClock, systemRandom } from '../system.ts';
import { confirmed } from './confirm.ts';
import { newPassword } from './new-password.ts';
import { databaseCommand, repeated } from './options.ts';
import type { Row } from './output.ts';
import { withLimit } from './paging.ts';
import { accountRow } from './records.ts';
import { withStore } from './with-store.ts';

const passwordHelp = `
The password is asked for at the terminal, or piped with --password-stdin. It has at least 8 characters of any
kind, and at most 1024 bytes.`;
const endsHelp =
  '\nAll login sessions of the account end, and every token issued with its consent is revoked.';

const deleteHelp = `
All login sessions of the account end, its tokens are revoked, and what its person consented to is forgotten. An account that
is created later under the same username is that of another person, with another subject. To keep a person out for a time,
use "watchword user disable".

An account that owns resource servers is not deleted. "watchword resource-server update <key> --owner" hands them over.

At a terminal it asks first, unless --yes or --json is given. A script is not asked.`;

export function userCommand(): Command {
  return new Command('user')
    .description('create and manage local accounts of people who log in with a password')
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(stateCommand('disable', 'keep a user out: no login, and no token is valid any more', true))
    .addCommand(stateCommand('enable', 'let a user log in again', false))
    .addCommand(deleteCommand())
    .addCommand(setPasswordCommand())
    .addCommand(setAdminCommand())
    .addCommand(setGroupsCommand())
    .addCommand(digestCommand());
}

function createCommand(): Command {
  return withPassword(databaseCommand('create', 'create an account'))
    .argument('<username>', 'the name to log in with, exactly as it is to be typed')
    .option('--display-name <text>', 'what the person is called; the username when absent')
    .option('--group <name>', 'a group; may be repeated', repeated)
    .option('--role <name>', 'a role; may be repeated', repeated)
    .option('--admin', 'an administrator, who sees and changes every record')
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
  return changeCommand(name, description).action((username, options) =>
    change(options, username, { disabled }, `${disabled ? 'Disabled' : 'Enabled'} ${username}.`, (admin) =>
      admin.setDisabled(username, disabled),
    ),
  );
}

function deleteCommand(): Command {
  return databaseCommand('delete', 'delete an account for good')
    .argument('<username>', 'username of the account')
    .option('--yes', 'do not ask first')
    .addHelpText('after', deleteHelp)
    .action((username, options) =>
      withStore(options, async ({ store, output }) => {
        if ((await store.accounts.find(username)) === undefined) throw unknown(username);
        const asks = options.yes !== true && options.json !== true;
        if (asks && !(await confirmed(`Delete the account ${username} for good?`, options.io))) {
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
  return withPassword(changeCommand('set-password', 'give an account a new password')).action(
    (username, options) =>
      change(options, username, {}, `${username} has a new password.`, async (admin) =>
        admin.setPassword(username, await newPassword(options.passwordStdin === true, options.io)),
      ),
  );
}

function setAdminCommand(): Command {
  return changeCommand('set-admin', 'make a user an administrator, or no longer one')
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
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
    .argument('[groups...]', 'all its groups from now on; none when absent')
    .action((username, given: string[], options) => {
      const groups = [...new Set(given)];
      const words = `${username} is in ${groups.length === 0 ? 'no group' : groups.join(', ')} now.`;
      return change(options, username, { groups }, words, (admin) => admin.setGroups(username, groups));
    });
}

function digestCommand(): Command {
  return databaseCommand('digest', 'print what the log writes in place of the name of an account')
    .argument('<name>', 'the name, exactly as it is; of an account that is there or not')
    .option(
      '--identity-provider <name>',
      'identity provider of the name; the local accounts when absent',
      accountAuthority,
    )
    .action((name, options) =>
      withStore(options, async ({ store, output }) => {
        const identity = { authority: options.identityProvider, name };
        const account = accountDigest(await store.digestKey.read(), identity);
        output.done(account, { name, identityProvider: identity.authority, account });
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
    description: `There is an account with the username ${username} already; "watchword user set-password" changes its password.`,
  });
}

function unknown(username: string): OAuthError {
  return new OAuthError('not_found', {
    description: `There is no account with the username ${username}; "watchword user list" names them.`,
  });
}
