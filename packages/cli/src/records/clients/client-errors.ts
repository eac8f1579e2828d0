import type { Command } from 'commander';
import { recordCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';
import { limitOf, withLimit } from '../../command/paging.ts';

const help = `
Each error of the last day has the reason for the developer of the client: what was expected, and what came. Without --url
the command shows the stored errors, those of requests in which the client was authenticated. With --url it also shows the
others, which a running server has in memory. "watchword explain" with the request id says what mends the cause.`;

const storedNote =
  'Note: only stored errors are shown, those of requests in which the client was authenticated. A running server knows the others: --url <baseUrl>\n';

/** `watchword client errors` */
export function clientErrorsCommand(): Command {
  return withLimit(recordCommand('errors', 'list why requests of a client were refused, the newest first'))
    .argument('<clientId>', 'clientId of the client')
    .addHelpText('after', help)
    .addHelpText(
      'before',
      examples('night-job', 'night-job --limit 10 --json', 'night-job --url https://auth.example'),
    )
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const found = await clients.errors(clientId, limitOf(options));
        const columns = ['time', 'endpoint', 'error', 'authenticated', 'requestId', 'reason'];
        output.list(found.rows, columns, found);
        if (options.url === undefined) options.io.stderr.write(storedNote);
      }),
    );
}
