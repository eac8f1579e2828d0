import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { loginOption, type Options } from '../command/options.ts';

const help = `
The browser asks for the password and for consent. The tokens are stored in a file that only you can read, in the folder of your system
for settings, and commands get new ones by themselves. The login outlasts the session of the browser. It ends with "watchword logout", on
the page "Your account" of the server, with a change of the account, and when it is not used for the time that the server sets.
On a machine without a browser, open the address elsewhere after you have forwarded the port that it names at redirect_uri:
ssh -L <port>:127.0.0.1:<port> <machine>`;

/** `watchword login` */
export function loginCommand(): Command {
  return new Command('login')
    .description('log in at a server in the browser, so that commands administer it')
    .argument('[baseUrl]', 'base URL of the server; that of the profile when absent')
    .option('--url <baseUrl>', 'the same as <baseUrl>')
    .addOption(loginOption('name of the login, for several servers; made from the base URL when absent'))
    .option('--no-browser', 'only print the address of the login')
    .option('--json', 'print JSON, for scripts')
    .addHelpText('after', help)
    .addHelpText(
      'before',
      examples('https://id.example.com', 'https://id.example.com --profile production', '--no-browser'),
    )
    .action(async (baseUrl: string | undefined, options: Options) => {
      // Loaded here, so that the other commands start without it.
      const { logIn } = await import('./log-in.ts');
      await logIn(baseUrl, options);
    });
}
