import type { OpenApiDocument } from '../../../packages/administration/src/openapi.ts';
import {
  type ReferenceField,
  type ReferenceRoute,
  referenceOf,
} from '../../../packages/administration/src/reference.ts';
import { code, plain, table } from '../markdown.ts';

/** Every route of the administration interface, and the records of its answers. */
export function restReference(document: OpenApiDocument): string {
  const { lead, groups, records } = referenceOf(document);
  return `# Administration over REST

${lead.map(plain).join('\n\n')}

A server has this page for its own release at \`/admin/docs\`, and the OpenAPI document at \`/admin/openapi.json\`.

${groups.map(({ name, routes }) => [`## ${plain(name)}`, ...routes.map(describeRoute)].join('\n\n')).join('\n\n')}

## Records

${records.map(({ name, description, fields }) => [`### ${name}`, plain(description), ...fieldTable('field', fields)].join('\n\n')).join('\n\n')}
`;
}

function describeRoute({
  method,
  path,
  summary,
  description,
  scope,
  parameters,
  fields,
  answers,
}: ReferenceRoute): string {
  const results = answers.map((answer) => [code(answer.status), plain(answer.description)]);
  return [
    `### ${plain(summary)}`,
    `\`\`\`http\n${method} ${path}\n\`\`\``,
    `Scope ${code(scope)}. ${plain(description)}`,
    ...fieldTable('parameter', parameters),
    ...fieldTable('member of the body', fields),
    table(['status', 'answer'], results),
  ].join('\n\n');
}

function fieldTable(title: string, fields: readonly ReferenceField[]): string[] {
  const rows = fields.map(({ name, kind, description }) => [code(name), plain(kind), plain(description)]);
  return rows.length === 0 ? [] : [table([title, 'value', 'meaning'], rows)];
}
