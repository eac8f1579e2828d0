import { userInfo } from 'node:os';
import { bootstrap, checkPageAddress, commandLineCaller, pageAddresses } from '@watchword/protocol';
import { Command } from 'commander';
import { systemClock, systemRandom } from '../system.ts';
import { configurationOf, type Options, withSettings } from './options.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

const help = `
The administration pages are at the base URL of the server, which it registers itself when it starts. Another one that is
named here is allowed beside it, such as a second host name; --remove withdraws it.`;

export function bootstrapCommand(): Command {
  const command = new Command('bootstrap').description(
    'register what the administration interface needs, or allow its pages under one more base URL',
  );
  return withSettings(command, ['database', 'baseUrl', 'port'])
    .option('--remove', 'with --base-url: allow the pages there no longer', false)
    .addHelpText('after', help)
    .action(async ({ remove, ...options }) => {
      const named = await namedBaseUrl(options);
      if (remove && named === undefined) throw new UsageError('--remove: goes with --base-url <url>');
      if (named !== undefined && !remove) checkPageAddress(named);
      await withStore(options, async ({ store, output, configuration }) => {
        const deps = { ...store, clock: systemClock, random: systemRandom };
        const addresses = pageAddresses(deps);
        const isMissing = (await addresses.list()).length === 0;
        const { created } = isMissing ? await bootstrap(configuration.baseUrl, deps) : { created: [] };
        const caller = commandLineCaller(userInfo().username);
        if (named !== undefined) await addresses[remove ? 'remove' : 'add'](caller, named);
        const baseUrls = await addresses.list();
        output.done(inWords(created, baseUrls, named), { created, baseUrls });
      });
    });
}

/** Only a base URL that was given: that of a running server is not known here, and the default is hardly ever meant. */
async function namedBaseUrl(options: Options): Promise<string | undefined> {
  const { configuration, origins } = await configurationOf(options);
  return origins.baseUrl === 'default' ? undefined : configuration.baseUrl;
}

function inWords(created: readonly string[], baseUrls: readonly string[], named: string | undefined): string {
  const done = created.length === 0 ? '' : `Registered ${created.join(' and ')}. `;
  const advice = named === undefined ? ' To allow one more, name it with --base-url.' : '';
  return `${done}The administration pages are at ${baseUrls.join(' and ')}.${advice}`;
}
