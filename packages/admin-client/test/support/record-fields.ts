import { defaultOf, type FieldTable, hasWireName, submittedFields } from '@watchword/protocol';

/** TypeScript for the defaults and labels of records, by the names of their types. */
export function recordFields(tables: Readonly<Record<string, FieldTable>>): string {
  const names = Object.keys(tables);
  return [
    '// Made from the tables of fields: npm run records -w packages/admin-client',
    `import type { ${names.map((name) => `${name}Fields`).join(', ')} } from './records.ts';`,
    ...Object.entries(tables).flatMap(([name, table]) => constantsOf(name, table)),
  ]
    .join('\n\n')
    .concat('\n');
}

function constantsOf(name: string, table: FieldTable): string[] {
  const fields = submittedFields(table).filter(([, field]) => hasWireName(field));
  const constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  const defaults = fields.map(([field, entry]) => `  ${field}: ${literal(defaultOf(entry))},`);
  const labels = fields.map(([field, { label = '' }]) => `  ${field}: ${literal(label)},`);
  return [
    [
      `/** A ${name} whose registration names no field. Fields that are required are empty here. */`,
      `export const ${constant}Defaults: ${name}Fields = {`,
      ...defaults,
      '};',
    ].join('\n'),
    [
      `/** What a form calls the fields of a ${name}. */`,
      `export const ${constant}Labels: Readonly<Record<keyof ${name}Fields, string>> = {`,
      ...labels,
      '};',
    ].join('\n'),
  ];
}

function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${name}: ${literal(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
