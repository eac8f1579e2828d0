import { type Profile, type ProfileChecks, profileChecks, profiles, type Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import { filterOf, filterParameter, invalidParameter } from '../requests/parameters.ts';
import type { AdminRequest, Route } from '../route.ts';
import { type JsonSchema, objectSchema } from '../schema/json-schema.ts';
import type { Lint, LintedRecord, LintPosition } from './lint.ts';

const text = { type: 'string' } as const;
const textOrNull = { type: ['string', 'null'] } as const;
const idOrNull = { type: ['integer', 'null'] } as const;

const findingProperties = {
  rule: { ...text, description: 'Its stable name, which errors of requests have too.' },
  section: { ...text, description: 'The section of the specification that has the rule.' },
  requirement: { ...text, description: 'The rule in words.' },
  field: { ...text, description: 'The field of the record, or the path of the setting.' },
  problem: { ...text, description: 'What is wrong with it: the part of a sentence that follows its name.' },
  advice: { ...text, description: 'What mends it, in words.' },
  command: {
    ...textOrNull,
    description:
      'The command that mends the record, with words in capitals for what must be decided; null for a setting.',
  },
} as const;

export const lintedRecordSchema: JsonSchema = objectSchema(
  'A record, or the settings of the server, with what a profile forbids in it.',
  {
    recordType: { enum: ['settings', 'resourceServer', 'client'] },
    id: { ...idOrNull, description: 'Record id; null for the settings.' },
    name: { ...textOrNull, description: 'The clientId or the key; null for the settings.' },
    title: { ...textOrNull, description: 'Its name for people; null for the settings.' },
    resourceserver_id: { ...idOrNull, description: 'Record id of the resource server of a client.' },
    profile: { enum: stricter(), description: 'The profile that has the rules.' },
    findings: {
      type: 'array',
      items: { type: 'object', properties: findingProperties, required: Object.keys(findingProperties) },
    },
  },
);

function stricter(): readonly string[] {
  return profiles.filter((profile) => profile !== 'compatible');
}

export interface LintRouteDependencies {
  readonly lint: Lint;
  /** Of this server; `undefined`: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
  readonly sealer: Sealer;
}

const path = '/admin/lint';

export function lintRoutes({ lint, profile, sealer }: LintRouteDependencies): Route[] {
  return [
    {
      id: 'lintRecords',
      method: 'GET',
      path,
      tag: 'Profiles',
      summary: 'List what a profile forbids in records and settings',
      description: `Administrators get the settings of this node and all records, other callers their own records. Only records with a finding are listed: first the settings, then resource servers, then clients. ${linkNote}`,
      scope: 'read',
      query: [
        {
          name: 'profile',
          description: 'Default: that of the server, or oauth-2.1 if that is compatible.',
          schema: { type: 'string', enum: stricter() },
        },
        filterParameter('clientId', 'Only this client.'),
        ...pagingParameters(),
      ],
      answer: pageOf({ $ref: '#/components/schemas/LintedRecord' }),
      errors: [400],
      handle: (request) => {
        const checks = checksOf(request, profile);
        const clientId = filterOf(request, 'clientId');
        return answerPage<LintedRecord, LintPosition>(
          request,
          { path, filters: ['profile', 'clientId'] },
          sealer,
          (page) => lint.list(request.caller, checks, clientId, page),
          (record) => shown(record, checks),
        );
      },
    },
  ];
}

function checksOf(request: AdminRequest, own: ProfileChecks | undefined): ProfileChecks {
  const named = filterOf(request, 'profile');
  const checks = named === undefined ? (own ?? profileChecks('oauth-2.1')) : profileChecks(named as Profile);
  if (checks !== undefined && (named === undefined || stricter().includes(named))) return checks;
  throw invalidParameter(`The parameter profile must be one of: ${stricter().join(', ')}.`);
}

function shown(
  { id, name, title, resourceServerId, recordType, findings }: LintedRecord,
  { profile }: ProfileChecks,
) {
  return {
    recordType,
    id: id ?? null,
    name: name ?? null,
    title: title ?? null,
    resourceserver_id: resourceServerId ?? null,
    profile,
    findings: findings.map(({ command, ...finding }) => ({ ...finding, command: command ?? null })),
  };
}
