import type { OpenApiDocument } from './openapi.ts';
import type { JsonSchema } from './schema/json-schema.ts';

/** The administration interface as a page for developers. */
interface Reference {
  readonly lead: readonly string[];
  readonly groups: readonly ReferenceGroup[];
  readonly records: readonly ReferenceRecord[];
}

interface ReferenceGroup {
  readonly name: string;
  readonly routes: readonly ReferenceRoute[];
}

export interface ReferenceRoute {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly scope: string;
  /** Of the path, the query and the header. */
  readonly parameters: readonly ReferenceField[];
  /** Of the body. */
  readonly fields: readonly ReferenceField[];
  readonly answers: readonly ReferenceAnswer[];
}

export interface ReferenceField {
  readonly name: string;
  /** The kind of its value, in words. */
  readonly kind: string;
  readonly description: string;
}

interface ReferenceAnswer {
  readonly status: string;
  readonly description: string;
}

interface ReferenceRecord {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly ReferenceField[];
}

/** Makes the page of the OpenAPI document. An operation there is one route. */
export function referenceOf(document: OpenApiDocument): Reference {
  const info = document.info as { readonly description: string };
  const tags = document.tags as readonly { readonly name: string }[];
  const { schemas, responses } = document.components as Components;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation: operation as DescribedOperation,
    })),
  );
  return {
    lead: info.description.split('\n\n'),
    groups: tags.map(({ name }) => ({
      name,
      routes: operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map(({ path, method, operation }) => ({
          id: operation.operationId,
          method,
          path,
          summary: operation.summary,
          description: operation.description ?? '',
          scope: operation.security.flatMap(({ bearer }) => bearer).join(' '),
          parameters: (operation.parameters ?? []).map((parameter) => ({
            name: parameter.name,
            kind: kindOf(parameter.schema),
            description: parameter.description ?? '',
          })),
          fields: fieldsOf(operation.requestBody?.content['application/json'].schema ?? {}, true),
          answers: Object.entries(operation.responses).map(([status, answer]) => ({
            status,
            description:
              (answer.$ref === undefined ? answer : responses[nameOf(answer.$ref)])?.description ?? '',
          })),
        })),
    })),
    records: Object.entries(schemas).map(([name, schema]) => ({
      name,
      description: String(schema.description ?? ''),
      fields: fieldsOf(schema),
    })),
  };
}

interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface DescribedOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly { readonly bearer: readonly string[] }[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  };
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
}

function fieldsOf(schema: JsonSchema, isInput = false): ReferenceField[] {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, JsonSchema>>;
  const required = (schema.required ?? []) as readonly string[];
  return Object.entries(properties)
    .filter(([, property]) => Object.keys(property).length > 1)
    .map(([name, property]) => ({
      name,
      kind: `${kindOf(property)}${isInput && required.includes(name) ? ', required' : ''}`,
      description: String(property.description ?? ''),
    }));
}

function kindOf(schema: JsonSchema): string {
  if (typeof schema.$ref === 'string') return nameOf(schema.$ref);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (Array.isArray(schema.anyOf)) return [...new Set(schema.anyOf.map(kindOf))].join(' or ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => kindOf({ ...schema, type })).join(' or ');
  if (schema.type === 'array') return `list of ${kindOf((schema.items ?? {}) as JsonSchema)}`;
  if (schema.type === 'integer') return rangeOf(schema);
  return kinds[String(schema.type)] ?? 'anything';
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  number: 'number',
  object: 'object',
  null: 'null',
};

function rangeOf({ minimum, maximum }: JsonSchema): string {
  const least = minimum === undefined ? '' : ` from ${minimum}`;
  return maximum === undefined ? `number${least}` : `number${least} to ${maximum}`;
}

function nameOf(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
