import { maxAuthStateLifetime } from '@watchword/server/config/settings';
import { purgeOnce } from '@watchword/server/runtime/work/purging';
import type { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { databaseCommand, wholeNumber } from '../command/options.ts';
import { withStore } from '../command/with-store.ts';

export function purgeCommand(): Command {
  return databaseCommand('purge', 'remove expired, revoked and deleted rows now')
    .addHelpText('before', examples('', '--retention 0'))
    .option(
      '--retention <seconds>',
      'keep rows that expired less than this time ago; the setting purge.retention when absent',
      wholeNumber('--retention', 0),
    )
    .action((options) =>
      withStore(options, async ({ store, output, configuration }) => {
        const retention = options.retention ?? configuration['purge.retention'];
        const report = await purgeOnce(store, store.clock, {
          retention,
          // The server can run with other settings than the command, so the longest lifetime of a page is used.
          authStateLifetime: maxAuthStateLifetime,
          auditRetention: configuration['audit.retention'],
          loginRetention: configuration['audit.loginRetention'],
        });
        output.record({ ...report });
      }),
    );
}
