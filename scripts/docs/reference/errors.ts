import { protocolErrors } from '../../../packages/protocol/src/model/errors/error-table.ts';
import type { ErrorRule } from '../../../packages/protocol/src/model/errors/rules/error-rule.ts';
import { errorRules } from '../../../packages/protocol/src/model/errors/rules/error-rules.ts';
import { code, plain, table } from '../markdown.ts';

/** Every error that the server can answer. */
export function errorReference(): string {
  const rows = Object.entries(protocolErrors).map(([name, { error, status, description, redirectable }]) => [
    code(name),
    error === name ? 'the same' : code(error),
    String(status),
    redirectable ? 'yes' : 'no',
    plain(description),
  ]);
  const rules = Object.entries<ErrorRule>(errorRules).map(
    ([name, { requirement, section = '', advice, command }]) => [
      code(name),
      plain(requirement),
      plain(section),
      `${plain(advice)}${command === undefined ? '' : ` ${code(command)}`}`,
    ],
  );
  return `# Errors

An answer with an error is JSON with two members: \`error\` has the code of the RFC, \`error_description\` a text for people. The
text can be more precise than the one in this table. Log and metrics use the name, because several names share one code. *Redirected*
says whether the authorization endpoint sends the error to the redirect URI of the client; it shows other errors to the user on a page.

${table(['name', '`error`', 'status', 'redirected', 'text'], rows)}

## Rules

Every error has the rule that the request broke. \`watchword explain\` shows it with what was expected and what came.

${table(['rule', 'what holds for an accepted request', 'source', 'what mends it'], rules)}
`;
}
