import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { loginOption, type Options } from '../command/options.ts';

/** `watchword logout` */
export function logoutCommand(): Command {
  return new Command('logout')
    .description('end a login of "watchword login": revoke its tokens, and remove them from this machine')
    .addOption(loginOption('the login that ends; the default profile when absent'))
    .option('--all', 'end every login of this machine', false)
    .option('--json', 'print JSON, for scripts')
    .addHelpText('before', examples('', '--profile production', '--all'))
    .action(async (options: Options) => {
      // Loaded here, so that the other commands start without it.
      const { logOut } = await import('./log-out.ts');
      await logOut(options);
    });
}
