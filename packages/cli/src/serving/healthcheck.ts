import type { Configuration } from '@watchword/server/config/settings';
import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { askLoopback } from '../command/loopback.ts';
import { configurationOf, withSettings } from '../command/options.ts';
import { createOutput } from '../command/output.ts';
import { UsageError } from '../command/usage-error.ts';

const help = `
For supervisors that run a command in place of an HTTP probe, such as HEALTHCHECK of a container. The command finds the server by the
same settings as the server, and asks it on this machine, not at its base URL. Exit code 0: the server can answer and write.`;

/** Milliseconds. A server that takes longer answers no user in time. */
const timeout = 5000;

export function healthcheckCommand(): Command {
  const command = new Command('healthcheck')
    .description('ask the server of this machine whether it can answer and write')
    .option('--live', 'ask only whether the process runs, /healthz in place of /readyz', false);
  return withSettings(command, ['host', 'port', 'baseUrl'])
    .addHelpText('after', help)
    .addHelpText('before', examples('', '--port 9000 --live'))
    .action(async (options) => {
      const { configuration } = await configurationOf(options);
      const url = probeUrl(configuration, options.live ? '/healthz' : '/readyz');
      const problem = await problemAt(url);
      const output = createOutput(options.json === true, options.io);
      if (problem === undefined) return output.done(`${url} answers 200.`, { url, healthy: true });
      output.done(`${url} ${problem}`, { url, healthy: false, problem });
      options.io.exitCode = 1;
    });
}

/** Addresses on which a server listens and to which nobody can connect, and where the server answers all the same. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** The URL of a path below the base URL at this machine. @throws UsageError if the settings do not tell the port */
export function probeUrl({ host, port, baseUrl }: Configuration, path: string): string {
  if (port === 0) throw new UsageError('--port: expected the port on which the server listens, got 0');
  const name = reachable[host] ?? host;
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}${prefix}${path}`;
}

/** Why the server is not healthy; `undefined` if it is. */
async function problemAt(url: string): Promise<string | undefined> {
  const signal = AbortSignal.timeout(timeout);
  try {
    const answer = await askLoopback(new URL(url), { signal });
    const { statusCode: status = 0 } = answer;
    answer.destroy();
    return status === 200
      ? undefined
      : `answers ${status}, expected 200. ${adviceFor[status] ?? wrongServer}`;
  } catch (error) {
    if (signal.aborted) return `does not answer within ${timeout / 1000} seconds.`;
    const { code, message } = error as NodeJS.ErrnoException;
    return `cannot be reached: ${code ?? message}. Start the server, or name its --host and --port.`;
  }
}

const wrongServer = 'Check that --host, --port and --base-url are those of a Watchword server.';
const adviceFor: Readonly<Record<number, string>> = {
  503: 'The server is starting, or cannot write to its database: its log has the reason.',
};
