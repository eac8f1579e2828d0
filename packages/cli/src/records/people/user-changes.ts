import type { AccountFields } from '@watchword/administration';
import { accountClaimFields, type EndedByChange } from '@watchword/protocol';
import { Argument, type Command } from 'commander';
import type { AccountTools } from '../../administration/accounts.ts';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';
import type { Options } from '../../command/options.ts';
import type { Row } from '../../command/output.ts';
import { UsageError } from '../../command/usage-error.ts';
import { fieldsOf, withFieldOptions } from '../field-options.ts';

/** Commands that change an account. */

const endsHelp = '\nAll login sessions of the account end, and all tokens of its grants are revoked.';
export const claimsHelp = `
An e-mail address or a phone number is not verified unless an option says so, also after a change to another one. Applications that
log the user in read these fields as claims of OpenID Connect.`;

export function updateCommand(): Command {
  const command = changeCommand(
    'update',
    'change what an account says of its user; fields that are not named stay as they are',
  )
    .option('--display-name <text>', 'the name that pages show')
    .addHelpText('after', claimsHelp)
    .addHelpText(
      'before',
      examples(
        'emma --email emma@example.org --email-verified true',
        'emma --family-name Smith --address country=NL --address locality=Amsterdam',
      ),
    );
  return withFieldOptions(command, accountClaimFields, 'update').action((username, options) => {
    const changed = changedClaims(options);
    // Over the network a change sets the parts of an address that it names.
    const whole = changed.address && { address: { ...noAddress, ...changed.address } };
    return change(options, username, changed, `Changed ${username}.`, (accounts) =>
      accounts.update(username, { ...changed, ...whole }),
    );
  });
}

/** @throws UsageError */
function changedClaims(options: Options): Partial<AccountFields> {
  const displayName = options.displayName as string | undefined;
  const claims = fieldsOf(accountClaimFields, options, 'update');
  const changed = { ...(displayName !== undefined && { displayName }), ...claims };
  if (Object.keys(changed).length > 0) return changed;
  throw new UsageError('expected an option that names what to change, such as --email <address>');
}

const noAddress = Object.fromEntries(accountClaimFields.address.kind.names.map((name) => [name, '']));

export function stateCommand(name: 'disable' | 'enable', description: string, disabled: boolean): Command {
  return changeCommand(name, description)
    .addHelpText('before', examples('emma'))
    .action((username, options) =>
      change(
        options,
        username,
        { disabled },
        `${disabled ? 'Disabled' : 'Enabled'} ${username}.`,
        (accounts) => accounts.update(username, { disabled }),
      ),
    );
}

export function setAdminCommand(): Command {
  return changeCommand('set-admin', 'make a user an administrator, or remove that right')
    .addArgument(new Argument('<on|off>').choices(['on', 'off']))
    .addHelpText('before', examples('emma on'))
    .action((username, state, options) => {
      const adminPrincipal = state === 'on';
      const words = `${username} is ${adminPrincipal ? 'an' : 'no'} administrator now.`;
      return change(options, username, { adminPrincipal }, words, (accounts) =>
        accounts.update(username, { adminPrincipal }),
      );
    });
}

export function setGroupsCommand(): Command {
  return changeCommand('set-groups', 'replace the groups of an account')
    .argument('[groups...]', 'the new groups; none when absent')
    .addHelpText('before', examples('emma staff operators'))
    .action((username, given: string[], options) => {
      const groups = [...new Set(given)];
      const words = `${username} is in ${groups.length === 0 ? 'no group' : groups.join(', ')} now.`;
      return change(options, username, { groups }, words, (accounts) =>
        accounts.update(username, { groups }),
      );
    });
}

export function changeCommand(name: string, description: string): Command {
  return administratorCommand(name, description, 'accounts')
    .argument('<username>', 'username of the account')
    .addHelpText('after', endsHelp);
}

/** Changes an existing account, and reports what ended with the change. */
export function change(
  options: Options,
  username: string,
  changed: Row,
  words: string,
  run: (accounts: AccountTools) => Promise<EndedByChange>,
): Promise<void> {
  return withAdministration(options, async ({ administration: { accounts }, output }) => {
    const ended = await run(accounts);
    output.done(`${words} ${inWords(ended)}`, { username, ...changed, ...ended });
  });
}

export function inWords({ sessions, grants }: EndedByChange): string {
  if (sessions === 0 && grants === 0) return 'There was no login session to end and no grant to revoke.';
  const ended = sessions === 1 ? '1 login session ended' : `${sessions} login sessions ended`;
  const revoked =
    grants === 1 ? '1 grant was revoked with its tokens' : `${grants} grants were revoked with their tokens`;
  return `${ended}, ${revoked}.`;
}
