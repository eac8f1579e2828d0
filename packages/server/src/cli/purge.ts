import type { Command } from 'commander';
import { maxAuthStateLifetime } from '../config/settings.ts';
import { purgeOnce } from '../runtime/purging.ts';
import { systemClock } from '../system.ts';
import { databaseCommand, wholeNumber } from './options.ts';
import { withStore } from './with-store.ts';

export function purgeCommand(): Command {
  return databaseCommand('purge', 'remove what is expired, revoked or deleted now')
    .option(
      '--retention <seconds>',
      'keep what expired within so many seconds; the setting purge.retention when absent',
      wholeNumber('--retention', 0),
    )
    .action((options) =>
      withStore(options, async ({ store, output, configuration }) => {
        const retention = options.retention ?? configuration['purge.retention'];
        const report = await purgeOnce(store, systemClock, {
          retention,
          // The server may run with other settings than the command: its pages may be open as long as any can be.
          authStateLifetime: maxAuthStateLifetime,
          auditRetention: configuration['audit.retention'],
          loginRetention: configuration['audit.loginRetention'],
        });
        output.record({ ...report });
      }),
    );
}
