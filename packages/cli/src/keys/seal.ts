import { renewKeys } from '@watchword/administration';
import { systemRandom } from '@watchword/server/system';
import type { Command } from 'commander';
import { confirmationHelp, isConfirmed } from '../command/confirm.ts';
import { examples } from '../command/examples.ts';
import { withStore } from '../command/with-store.ts';
import { keyCommand, operating } from './key-command.ts';

const help = `
The database has the keys that seal forms and the cursors of lists, which servers replace every day, and the key of digests: of
accounts in the log, of counts of failed logins, and of the cookies of known devices. If another party has a copy of the database, or of
these keys, --renew replaces all of them. Every server refuses within a second what was made with the old ones, without a restart.

Users who are about to log in or to consent start again. Counts of failed logins begin at 0, and no device is known until its user logs
in again. Accounts have other digests in the log: "watchword user digest" prints the new ones. Sessions, tokens and signing keys
stay. ${confirmationHelp}`;

export function sealCommand(): Command {
  return keyCommand('seal', 'list the keys that seal forms, or replace them and the key of digests')
    .option('--renew', 'replace them at once, because another party has them', false)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .addHelpText('before', examples('', '--renew --yes'))
    .action(async ({ renew, ...options }) => {
      const question = () => 'Replace the keys that seal forms, and the key of digests?';
      if (renew && !(await isConfirmed(options, question, 'Nothing was replaced.'))) return;
      await withStore(options, async ({ store, output }) => {
        if (renew) await renewKeys(operating, { ...store, random: systemRandom });
        const keys = (await store.sealingKeys.list()).map(({ id, creationDate }) => ({ id, creationDate }));
        if (renew)
          output.done('The keys are replaced: servers refuse within a second what the old ones made.', {
            keys,
          });
        else output.list(keys, ['id', 'creationDate']);
      });
    });
}
