import { bootstrap } from '@watchword/protocol';
import { Command } from 'commander';
import { systemClock, systemRandom } from '../system.ts';
import { withSettings } from './options.ts';
import { withStore } from './with-store.ts';

export function bootstrapCommand(): Command {
  const command = new Command('bootstrap').description(
    'register what the administration interface needs, as the server does when it starts',
  );
  return withSettings(command, ['database', 'baseUrl', 'port']).action((options) =>
    withStore(options, async ({ store, output, configuration }) => {
      const world = { ...store, clock: systemClock, random: systemRandom };
      const { created, redirectUri = null } = await bootstrap(configuration.baseUrl, world);
      const words =
        created.length > 0
          ? `Registered ${created.join(' and ')}.`
          : redirectUri === null
            ? 'Everything was there already.'
            : `The administration pages are at ${redirectUri} now.`;
      output.done(words, { created, redirectUri });
    }),
  );
}
