import type { AuditEvent, AuditKind, Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters, searchParameter } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import {
  choiceOf,
  filterOf,
  filterParameter,
  identityFilters,
  identityOfQuery,
  identityParameters,
  timeOf,
} from '../requests/parameters.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import type { AuditLog } from './audit-log.ts';

const state = {
  type: 'object',
  description: 'Fields of the record by name. Secrets are never included.',
  additionalProperties: true,
};

const recordTypes = [
  'resourceServer',
  'client',
  'clientHost',
  'initialToken',
  'accessToken',
  'resourceOwner',
  'account',
  'invitation',
  'confirmation',
  'identityProvider',
  'loginSession',
  'grant',
  'signingKey',
  'branding',
  'database',
] as const;

export const auditActions = [
  ...(['create', 'update', 'delete', 'rotateSecret', 'revokeTokens', 'revokeGrants'] as const),
  ...(['addSecret', 'changeSecret', 'removeSecret'] as const),
  ...([
    'changePassword',
    'resetPassword',
    'linkProvider',
    'unlinkProvider',
    'restore',
    'giveRight',
    'endRight',
  ] as const),
  ...(['addFactor', 'renameFactor', 'removeFactor', 'useRecoveryCode', 'downloadData'] as const),
  ...(['login', 'logout', 'grant', 'withdraw'] as const),
] as const;

export const auditKinds = ['changes', 'logins'] as const satisfies AuditKind[];

export const auditEventSchema: JsonSchema = objectSchema(
  'One change to a record, or one login, logout, grant or withdrawal of consent.',
  {
    id: { type: 'string', format: 'uuid' },
    time: { ...timestampSchema, description: 'Time of the event, in epoch milliseconds.' },
    actor: {
      type: 'string',
      description: 'The actor: the name of a principal, or the operating system user of a command.',
    },
    actorAuthority: {
      type: 'string',
      description:
        'The identity provider of that name; "cli" for the command line, "system" for the server itself.',
    },
    clientId: {
      type: ['string', 'null'],
      description:
        'The client that acted for the actor: that of the access token, or of the login; null for the pages of the server, and commands.',
    },
    clientName: {
      type: ['string', 'null'],
      description: 'The name of that client at that time; null in an event of an older release.',
    },
    source: {
      type: 'string',
      description:
        'Network address of the actor; empty for the command line. Only administrators get that of another actor.',
    },
    action: {
      enum: auditActions,
    },
    recordType: { enum: recordTypes },
    recordId: { type: 'string' },
    recordName: {
      type: 'string',
      description: 'Key, clientId or principal name of the record at that time.',
    },
    owner: { type: 'string', description: 'The record owner.' },
    ownerAuthority: { type: 'string' },
    before: {
      anyOf: [state, { type: 'null' }],
      description: 'The changed fields with their values before the change.',
    },
    after: {
      anyOf: [state, { type: 'null' }],
      description: 'The changed fields with their values after the change.',
    },
  },
);

function auditEventRecord(event: AuditEvent) {
  const { actor, owner, clientId = null, clientName = null, before = null, after = null, ...rest } = event;
  return {
    ...rest,
    actor: actor.name,
    actorAuthority: actor.identityProvider,
    clientId,
    clientName,
    owner: owner.name,
    ownerAuthority: owner.identityProvider,
    before,
    after,
  };
}

const path = '/admin/auditEvent';
const filters = [
  'q',
  'actor',
  'action',
  'recordType',
  'recordId',
  'clientId',
  'since',
  'until',
  'kind',
  ...identityFilters,
];

export function auditEventRoutes({
  auditLog,
  sealer,
}: {
  readonly auditLog: AuditLog;
  readonly sealer: Sealer;
}): Route[] {
  return [
    {
      id: 'listAuditEvents',
      method: 'GET',
      path,
      tag: 'Audit log',
      summary: 'Read the audit log',
      description: `Administrators get all events. Other callers get the changes to their records, and their own logins, logouts, grants and withdrawals. The newest events come first. ${linkNote}`,
      scope: 'read',
      query: [
        searchParameter('the name of the record, of the actor or of the client'),
        filterParameter(
          'actor',
          'Only events whose actor has this text in the name. Upper and lower case are the same.',
        ),
        {
          name: 'action',
          description: 'Only events with this action.',
          schema: { enum: auditActions },
        },
        {
          name: 'recordType',
          description: 'Only changes to records of this type.',
          schema: { enum: recordTypes },
        },
        filterParameter('recordId', 'Only changes to the record with this id.'),
        filterParameter('clientId', 'Only events of requests that used this client, and changes of it.'),
        {
          name: 'since',
          description: 'Only events of this time or later, in epoch milliseconds.',
          schema: timestampSchema,
        },
        {
          name: 'until',
          description: 'Only events before this time, in epoch milliseconds.',
          schema: timestampSchema,
        },
        {
          name: 'kind',
          description:
            'changes: only changes to records. logins: only logins, logouts, grants and withdrawals.',
          schema: { enum: auditKinds },
        },
        ...identityParameters('Only events by this person, and events about this person'),
        ...pagingParameters(),
      ],
      answer: pageOf({ $ref: '#/components/schemas/AuditEvent' }),
      errors: [400],
      handle: (request) => {
        const filter = {
          q: filterOf(request, 'q'),
          actor: filterOf(request, 'actor'),
          action: choiceOf(request, 'action', auditActions),
          recordType: filterOf(request, 'recordType'),
          recordId: filterOf(request, 'recordId'),
          clientId: filterOf(request, 'clientId'),
          since: timeOf(request, 'since'),
          until: timeOf(request, 'until'),
          person: identityOfQuery(request),
          kind: choiceOf(request, 'kind', auditKinds),
        };
        return answerPage(
          request,
          { path, filters },
          sealer,
          (page: PageRequest<string>) => auditLog(request.caller, filter, page),
          auditEventRecord,
        );
      },
    },
  ];
}
