import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { withStore } from '../command/with-store.ts';
import { exportPublicCommand } from './export-public.ts';
import { importKeyCommand } from './import-key.ts';
import { keyColumns, keyCommand, keyRow } from './key-command.ts';
import { retireCommand } from './retire.ts';
import { rotateCommand } from './rotate.ts';
import { sealCommand } from './seal.ts';

export function keysCommand(): Command {
  return new Command('keys')
    .description('manage the keys that sign JWTs, and replace those that seal forms')
    .addHelpText('before', examples('list', 'rotate', 'retire 6003b85e3463310e --compromised'))
    .addCommand(listCommand())
    .addCommand(rotateCommand())
    .addCommand(retireCommand())
    .addCommand(importKeyCommand())
    .addCommand(exportPublicCommand())
    .addCommand(sealCommand());
}

const listHelp = `
published: in the JWKS, so that all caches know the key before it signs. signing: signs. retiring: in the JWKS until the last
token that it signed has expired. retired: verifies only what an application shows when a user logs out. compromised: verifies
nothing.`;

function listCommand(): Command {
  return keyCommand('list', 'list the keys that sign, will sign or have signed')
    .addHelpText('after', listHelp)
    .addHelpText('before', examples('', '--json'))
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const keys = await store.signingKeys.list();
        const now = store.clock.now();
        output.list(
          keys.map((key) => keyRow(key, now)),
          keyColumns,
        );
      }),
    );
}
