import { bootstrap, checkPageAddress, commandLineCaller, pageAddresses } from '@watchword/administration';
import { systemRandom } from '@watchword/server/system';
import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { operator } from '../command/operator.ts';
import { configurationOf, type Options, withSettings } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';
import { withStore } from '../command/with-store.ts';

const help = `
The server registers its own base URL when it starts, and the administration pages are there. Name another base URL here,
such as one with a second host name, to allow the pages there too. Add --remove to withdraw it.`;

export function bootstrapCommand(): Command {
  const command = new Command('bootstrap').description(
    'register the records of the administration interface, or allow its pages at one more base URL',
  );
  return withSettings(command, ['database', 'baseUrl', 'port'])
    .option('--remove', 'with --base-url: no longer allow the pages there', false)
    .addHelpText('after', help)
    .addHelpText('before', examples('', '--base-url https://id.internal.example.com'))
    .action(async ({ remove, ...options }) => {
      const named = await namedBaseUrl(options);
      if (remove && named === undefined)
        throw new UsageError('--remove: expected --base-url <url> too; add the base URL to withdraw');
      if (named !== undefined && !remove) checkPageAddress(named);
      await withStore(options, async ({ store, output, configuration }) => {
        const deps = { ...store, random: systemRandom };
        const addresses = pageAddresses(deps);
        // The pages of a running server keep their address.
        const [own = configuration.baseUrl] = await addresses.list();
        const { created } = await bootstrap(own, deps);
        const caller = commandLineCaller(operator);
        if (named !== undefined) await addresses[remove ? 'remove' : 'add'](caller, named);
        const baseUrls = await addresses.list();
        output.done(inWords(created, baseUrls, named), { created, baseUrls });
      });
    });
}

/** The base URL of an option. The base URL of a running server is not known here, and the default is hardly ever meant. */
async function namedBaseUrl(options: Options): Promise<string | undefined> {
  const { configuration, origins } = await configurationOf(options);
  return origins.baseUrl === 'default' ? undefined : configuration.baseUrl;
}

function inWords(created: readonly string[], baseUrls: readonly string[], named: string | undefined): string {
  const done = created.length === 0 ? '' : `Registered ${created.join(' and ')}. `;
  const advice = named === undefined ? ' To allow one more, name it with --base-url.' : '';
  return `${done}The administration pages are at ${baseUrls.join(' and ')}.${advice}`;
}
