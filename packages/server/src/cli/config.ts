import { Command } from 'commander';
import { environmentName, settingPaths, shownValue } from '../config/settings.ts';
import { examples } from './examples.ts';
import { configurationOf, withSettings } from './options.ts';
import { createOutput } from './output.ts';

export function configCommand(): Command {
  const command = new Command('config').description(
    'print the effective configuration and the source of each value',
  );
  return withSettings(command, settingPaths)
    .addHelpText('after', examples('', '--config watchword.yaml --json'))
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
