import { comment, width } from './format.ts';

/** The keywords of JSON Schema 2020-12 that the description of the administration interface uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Schemas;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly $ref?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** TypeScript for the records that an OpenAPI document describes, in the format of the linter. */
export function recordTypes(schemas: Schemas): string {
  const interfaces = Object.entries(schemas).flatMap(([name, schema]) => interfacesOf(name, schema, schemas));
  return [
    '// Made from the OpenAPI description of the administration interface: npm run records -w packages/admin-client',
    ...interfaces,
  ]
    .join('\n\n')
    .concat('\n');
}

/** A record has the fields that a request can set and the fields that the server sets. */
function interfacesOf(name: string, schema: Schema, schemas: Schemas): string[] {
  const properties = Object.entries(schema.properties ?? {});
  const base = baseOf(name);
  const known = schemas[base]?.properties;
  if (known !== undefined) {
    const added = properties.filter(([property]) => !Object.hasOwn(known, property));
    return [interfaceOf(`${name} extends ${base}`, added, schema)];
  }
  const set = properties.filter(([, { readOnly = false }]) => readOnly);
  if (set.length === 0) return [interfaceOf(name, properties, schema)];
  const fields = `${name}Fields`;
  const submitted = properties.filter(([, { readOnly = false }]) => !readOnly);
  return [
    interfaceOf(`${name} extends ${fields}`, set, schema),
    interfaceOf(fields, submitted, { ...schema, description: `The fields of ${name} that a request sets.` }),
  ];
}

/** `ClientWithSecret` and `ChangedClient` extend `Client`. */
function baseOf(name: string): string {
  return /^(\w+)With\w+$/.exec(name)?.[1] ?? /^Changed(\w+)$/.exec(name)?.[1] ?? '';
}

type Properties = readonly (readonly [name: string, schema: Schema])[];

function interfaceOf(heading: string, properties: Properties, schema: Schema): string {
  return [
    ...comment(schema.description, ''),
    `export interface ${heading} {`,
    ...membersOf(properties, schema, '  '),
    '}',
  ].join('\n');
}

function membersOf(properties: Properties, { required = [] }: Schema, indent: string): string[] {
  return properties.flatMap(([name, property]) => {
    const sign = required.includes(name) ? '' : '?';
    const member = `${indent}readonly ${/^\w+$/.test(name) ? name : `'${name}'`}${sign}: ${typeOf(property, indent)};`;
    return [...comment(property.description, indent), ...wrapUnion(member, indent)];
  });
}

export function typeOf(schema: Schema, indent: string): string {
  const { $ref, enum: values, anyOf, type } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf('/') + 1);
  if (values !== undefined) return values.map((value) => `'${value}'`).join(' | ');
  if (anyOf !== undefined) return anyOf.map((each) => typeOf(each, indent)).join(' | ');
  if (Array.isArray(type)) return type.map((each) => typeOf({ ...schema, type: each }, indent)).join(' | ');
  if (Object.keys(schema).length === 0) return 'unknown';
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return `readonly ${item.includes(' | ') && !item.startsWith('{') ? `(${item})` : item}[]`;
    }
    case 'object':
      return objectOf(schema, indent);
    default:
      throw new Error(`expected a schema with a known type, got ${JSON.stringify(schema)}`);
  }
}

function objectOf(schema: Schema, indent: string): string {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined) {
    const members = membersOf(Object.entries(properties), schema, `${indent}  `);
    return ['{', ...members, `${indent}}`].join('\n');
  }
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
  return `Readonly<Record<string, ${values}>>`;
}

/** A member, whose union has lines of its own if one line is too short. */
export function wrapUnion(member: string, indent: string): string[] {
  if (member.length <= width || member.includes('\n')) return [member];
  const [, start, items] = /^(.*: readonly \()(.*)\)\[\];$/.exec(member) ?? [];
  if (start !== undefined && items !== undefined) {
    return [start, ...items.split(' | ').map((item) => `${indent}  | ${item}`), `${indent})[];`];
  }
  const [head = '', ...parts] = member.split(/: (?=')| \| /);
  return [`${head}:`, ...parts.map((part) => `${indent}  | ${part}`)];
}
