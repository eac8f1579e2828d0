import { settingPaths } from '@watchword/server/config/settings';
import { version } from '@watchword/server/version';
import { servedSchemas } from '@watchword/store-sql';
import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { type Options, withSettings } from '../command/options.ts';
import { createOutput } from '../command/output.ts';

const help = `
Without --check the command prints the version, the Node.js that runs it, and which schemas of a database this release can serve.
With --check it compares this release with the configuration, the database and the servers on it, and changes nothing: no file, no
row, no table. Give it the settings of the server. It does not load modules, so their options are checked by the start only.
It exits with 0 if this release can start here, with 1 if something stands in the way, with 2 for a wrong use of the command.`;

export function versionCommand(): Command {
  const command = new Command('version')
    .description('print the version, or compare it with configuration and database')
    .option('--check', 'whether this release can start with this configuration on this database', false);
  return withSettings(command, settingPaths)
    .addHelpText('after', help)
    .addHelpText('before', examples('', '--check --config watchword.yaml', '--check --json'))
    .action(async (options: Options) => {
      const own = { version, node: process.versions.node, schema: servedSchemas() };
      const { oldest, newest } = own.schema;
      const schemas = oldest === newest ? newest : `${oldest} to ${newest}`;
      const words = [`Watchword ${version}, Node.js ${own.node}, schema ${schemas}.`];
      const output = createOutput(options.json === true, options.io);
      if (options.check !== true) return output.done(words, own);
      // Loaded here, so that the version alone is printed at once.
      const { checkVersion } = await import('./version-check.ts');
      const check = await checkVersion(options);
      output.done([...words, ...check.words], { ...own, ...check.report });
      if (!check.report.ready) options.io.exitCode = 1;
    });
}
