import type { Command } from 'commander';
import type { Explanation } from '../../administration/administration.ts';
import { recordCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';

const help = `
Every answer has the id in the header x-request-id, an error page shows it, and the log has it. Errors are kept for a day. Without
--url the command knows the stored errors of every node: those of requests in which a client was authenticated. With --url it also
knows the others, which the nodes have in memory, whichever of them answered. Words in capitals in the command that mends the cause are for you
to replace.`;

/** `watchword explain` */
export function explainCommand(): Command {
  return recordCommand('explain', 'say which rule refused a request, what came, and what mends it')
    .argument('<request id>', 'the x-request-id of the answer')
    .addHelpText('after', help)
    .addHelpText('before', examples('5f0c6a31be-2k', '5f0c6a31be-2k --url https://auth.example --json'))
    .action((requestId, options) =>
      withAdministration(options, async ({ administration: { explain }, output }) => {
        const explanation = await explain(requestId);
        output.done(inWords(explanation), { ...explanation });
      }),
    );
}

function inWords(found: Explanation): string[] {
  const { requestId, time, client, endpoint, error, authenticated, requirement, section, sectionUrl } = found;
  const proof = authenticated ? 'authenticated' : 'not authenticated';
  const parts: readonly (readonly [string, string | null])[] = [
    ['request', `${requestId}, ${new Date(time).toISOString()}, ${endpoint}`],
    ['client', client && `${client.clientId}, ${proof}`],
    ['error', error],
    ['reason', found.reason],
    ['rule', found.rule],
    ['', requirement],
    ['source', section && [section, sectionUrl].filter(Boolean).join('  ')],
    ['expected', found.expected],
    ['came', found.came],
    ['advice', found.advice],
    ['command', found.command],
  ];
  return parts.flatMap(([name, text]) => (text === null ? [] : [`${name.padEnd(10)}${text}`]));
}
