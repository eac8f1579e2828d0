import { type AppliedConfiguration, isObject, type Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pageOfAll, pagingParameters } from '../lists/listing.ts';
import { overlapKind } from '../registered/overlap.ts';
import type { AdminRequest, Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, optional } from '../schema/record-schema.ts';
import type { ConfigurationAdministration } from './configurations.ts';

export interface ConfigurationRouteDependencies {
  readonly configurationAdministration: ConfigurationAdministration;
  readonly sealer: Sealer;
}

const tag = 'Configurations';
const path = '/admin/configuration';
// Of about 20,000 clients: bodies are read before their caller is known. Commands on the database have no limit here.
const bodyLimit = 8 * 1024 * 1024;
const flag = { type: 'flag' } as const;

const options = {
  description: 'A configuration, and how it is applied.',
  fields: {
    keep: optional(flag, 'Records that the configuration has no more are let go, and not deleted.'),
    allowDeletions: optional(flag, 'More than ten records, more than half or all of them can be deleted.'),
    overlap: optional(overlapKind, 'Seconds for which a secret that is replaced stays valid. Default 0.'),
  },
  ignoresUnknown: true,
} as const;

const submitted: JsonSchema = {
  ...inputSchema(options),
  properties: {
    configuration: {
      type: 'object',
      description:
        'As the file of "watchword apply", of which "watchword apply --schema" prints the JSON Schema, but with the secrets themselves.',
    },
    ...(inputSchema(options).properties as object),
  },
  required: ['configuration'],
};

const text = { type: 'string' } as const;

export const appliedConfigurationSchema: JsonSchema = objectSchema(
  'A configuration, as it was applied last.',
  {
    name: text,
    records: { type: 'integer', minimum: 0, description: 'Records that it manages.' },
    appliedAt: { ...timestampSchema, description: 'Epoch milliseconds of the last change.' },
    appliedBy: { ...text, description: 'Name of who made it.' },
    restored: {
      type: 'boolean',
      description: 'Whether the database was restored from a backup since: apply the configuration again.',
    },
  },
);

export const configurationPlanSchema: JsonSchema = objectSchema('What an application changes.', {
  name: { ...text, description: 'Of the configuration.' },
  unchanged: { type: 'integer', minimum: 0, description: 'Its records that are as it says.' },
  changes: {
    type: 'array',
    items: objectSchema('A record that changes.', {
      recordType: { enum: ['resourceServer', 'client'] },
      name: { ...text, description: 'The key, or the clientId.' },
      action: {
        enum: ['create', 'change', 'takeOver', 'delete', 'letGo', 'follow'],
        description:
          'takeOver: it was made by hand. letGo: it stays, and is changed by hand. follow: it is not in the configuration, and changes with a record that is.',
      },
      fields: {
        type: 'array',
        items: {
          type: 'object',
          properties: { field: text, before: {}, after: {} },
          required: ['field'],
          description: 'A field with its values; of a secret neither is there.',
        },
      },
    }),
  },
});

export function configurationRoutes({
  configurationAdministration: configurations,
  sealer,
}: ConfigurationRouteDependencies): Route[] {
  const plan = { $ref: '#/components/schemas/ConfigurationPlan' };
  const change = { method: 'POST', tag, scope: 'write', errors: [400, 409] } as const;
  const body = { schema: submitted, isRequired: true, limit: bodyLimit } as const;
  const refused = 'What is refused is 400, with the place of each problem; then nothing is changed.';
  return [
    {
      id: 'listConfigurations',
      method: 'GET',
      path,
      tag,
      summary: 'List the configurations that manage records',
      description: `In the order of their names. Only for administrators. ${linkNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf({ $ref: '#/components/schemas/AppliedConfiguration' }),
      errors: [400],
      handle: async (request) =>
        answerPage(
          request,
          { path, filters: [] },
          sealer,
          pageOfAll(await configurations.list(request.caller)),
          shown,
        ),
    },
    {
      id: 'planConfiguration',
      path: `${path}Plan`,
      ...change,
      summary: 'Say what the application of a configuration would change',
      description: `Nothing is stored. Only for administrators. ${refused}`,
      body,
      answer: { status: 200, description: 'What would change.', schema: plan },
      handle: (request) => apply(request, configurations, true),
    },
    {
      id: 'applyConfiguration',
      needsFreshLogin: true,
      path,
      ...change,
      summary: 'Apply a configuration',
      description: `Makes its records what it says, all of them or none, and deletes records of it that it has no more. An application at the same time waits. Only for administrators. ${refused}`,
      body,
      answer: { status: 200, description: 'What was changed.', schema: plan },
      handle: (request) => apply(request, configurations, false),
    },
  ];
}

function shown({ isRestored, ...applied }: AppliedConfiguration) {
  return { ...applied, restored: isRestored };
}

async function apply(request: AdminRequest, configurations: ConfigurationAdministration, isDryRun: boolean) {
  const submitted = request.body();
  const { whole, malformed } = await readRecord(options, submitted);
  rejectMalformed(malformed);
  const { keep, allowDeletions, overlap } = whole;
  const document = isObject(submitted) ? submitted.configuration : undefined;
  const body = await configurations.apply(request.caller, document, {
    ...{ isDryRun, keepsRemoved: keep, allowsDeletions: allowDeletions, overlap },
  });
  return { status: 200 as const, body };
}
