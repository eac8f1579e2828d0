import { setTimeout } from 'node:timers/promises';
import type { Command } from 'commander';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';

// Milliseconds. The server forgets a test login after ten minutes.
const pause = 1000;
const patience = 600_000;

/** `watchword identity-provider test-login` */
export function testLoginCommand(): Command {
  return administratorCommand('test-login', 'try a login at an identity provider, without a session')
    .argument('<name>', 'name, as "watchword identity-provider list --set-up" prints it')
    .addHelpText(
      'after',
      `
The command prints an address of the running server, which you open in a browser within ten minutes, and waits. Then it prints what
the identity provider said of the user, and what the rules made of it. A user whom they refuse is exit code 1. The identity provider
can be disabled meanwhile.`,
    )
    .addHelpText('before', examples('uni --url https://id.example.com'))
    .action((name, options) =>
      withAdministration(options, async ({ administration: { authenticators }, output }) => {
        const { io } = options;
        const { testId, url } = await authenticators.tryLogin(name);
        io.stderr.write(`Open this address in a browser, and log in at ${name}:\n${url}\n`);
        const end = Date.now() + patience;
        let tried = await authenticators.testLogin(testId);
        while (!tried.isFinished && Date.now() < end) {
          await setTimeout(pause);
          tried = await authenticators.testLogin(testId);
        }
        const { isFinished, ...result } = tried;
        if (!isFinished) {
          io.stderr.write('Nobody logged in within ten minutes. Run the command again.\n');
        } else if (options.json === true) output.record(result);
        else output.record(filled(result));
        if (!isFinished || result.refusal !== null) io.exitCode = 1;
      }),
    );
}

/** What the identity provider said first, a line for each value. */
function filled({ received, attributes, ...rules }: Readonly<Record<string, unknown>>) {
  const lines = (prefix: string, values: unknown) =>
    Object.entries(Object(values)).map(([name, value]) => [`${prefix} ${name}`, value] as const);
  const made = Object.entries(rules).filter(
    ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries([...lines('received', received), ...made, ...lines('attribute', attributes)]);
}
