import { Command } from 'commander';
import { profileName, profilesOf } from '../administration/profiles.ts';
import { noProfile } from '../administration/server-of.ts';
import { examples } from '../command/examples.ts';
import { createOutput } from '../command/output.ts';

/** `watchword profile` */
export function profileCommand(): Command {
  return new Command('profile')
    .description('list the logins of "watchword login", and choose the default one')
    .addHelpText('before', examples('list', 'use production'))
    .addCommand(listCommand())
    .addCommand(useCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('list the logins of this machine')
    .option('--json', 'print JSON, for scripts')
    .addHelpText('before', examples('', '--json'))
    .action(async ({ json, io }) => {
      const profiles = profilesOf(io);
      const usual = await profiles.defaultName();
      const rows: { name: string; baseUrl: string; user: string; default: boolean }[] = [];
      for (const name of await profiles.list()) {
        const profile = await profiles.read(name);
        if (profile === undefined) continue;
        rows.push({ name, baseUrl: profile.baseUrl, user: profile.user, default: name === usual });
      }
      createOutput(json === true, io).list(rows, ['name', 'baseUrl', 'user', 'default']);
    });
}

function useCommand(): Command {
  return new Command('use')
    .description('make a profile the default: commands that name no database and no server use it')
    .argument('<name>', 'name of the profile')
    .option('--json', 'print JSON, for scripts')
    .addHelpText('before', examples('production'))
    .action(async (given, { json, io }) => {
      const name = profileName(given);
      const profiles = profilesOf(io);
      const profile = await profiles.read(name);
      if (profile === undefined) throw noProfile(name);
      await profiles.setDefault(name);
      const words = `Commands that name no database work on ${profile.baseUrl} as ${profile.user} from now on.`;
      createOutput(json === true, io).done(words, { default: name, baseUrl: profile.baseUrl });
    });
}
