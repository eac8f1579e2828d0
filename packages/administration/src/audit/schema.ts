import type { AuditEvent, AuditKind } from '@watchword/protocol';
import type { JsonSchema } from '../schema/json-schema.ts';
import { timestampSchema } from '../schema/timestamp.ts';

const state = {
  type: 'object',
  description: 'Fields of the record by name. Secrets are never included.',
  additionalProperties: true,
};

export const recordTypes = [
  'resourceServer',
  'client',
  'accessToken',
  'resourceOwner',
  'account',
  'identityProvider',
  'loginSession',
  'grant',
  'signingKey',
  'database',
] as const;

export const auditKinds = ['changes', 'logins'] as const satisfies AuditKind[];

export const auditEventSchema: JsonSchema = {
  type: 'object',
  description: 'One change to a record, or one login, logout, grant or withdrawal of consent.',
  properties: {
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
    clientId: { type: ['string', 'null'], description: 'The client of the access token of the actor.' },
    source: {
      type: 'string',
      description:
        'Network address of the actor; empty for the command line. Only administrators get that of another actor.',
    },
    action: {
      enum: [
        ...['create', 'update', 'delete', 'rotateSecret', 'revokeTokens', 'revokeGrants'],
        ...['changePassword', 'resetPassword', 'restore'],
        ...['login', 'logout', 'grant', 'withdraw'],
      ],
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
  required: [
    'id',
    'time',
    'actor',
    'actorAuthority',
    'clientId',
    'source',
    'action',
    'recordType',
    'recordId',
    'recordName',
    'owner',
    'ownerAuthority',
    'before',
    'after',
  ],
};

export function auditEventRecord(event: AuditEvent) {
  const { actor, owner, clientId = null, before = null, after = null, ...rest } = event;
  return {
    ...rest,
    actor: actor.name,
    actorAuthority: actor.identityProvider,
    clientId,
    owner: owner.name,
    ownerAuthority: owner.identityProvider,
    before,
    after,
  };
}
