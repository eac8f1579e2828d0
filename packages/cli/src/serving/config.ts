import { environmentName, settingPaths, shownValue } from '@watchword/server/config/settings';
import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { configurationOf, withSettings } from '../command/options.ts';
import { createOutput } from '../command/output.ts';

export function configCommand(): Command {
  const command = new Command('config').description(
    'print the effective configuration and the source of each value',
  );
  return withSettings(command, settingPaths)
    .addHelpText('before', examples('', '--config watchword.yaml --json'))
    .action(async (options) => {
      const { configuration, origins, warnings } = await configurationOf(options);
      for (const warning of warnings) options.io.stderr.write(`warning: ${warning}\n`);
      const rows = settingPaths.map((path) => ({
        setting: path,
        value: shownValue(path, configuration),
        origin: origins[path],
        environment: environmentName(path),
      }));
      createOutput(options.json === true, options.io).list(rows, [
        'setting',
        'value',
        'origin',
        'environment',
      ]);
    });
}
