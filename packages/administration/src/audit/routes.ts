import { type AuditKind, OAuthError, type Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pagingParameters, searchParameter } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { identityFilters, identityOfQuery, identityParameters } from '../requests/person-filter.ts';
import { filterOf, timeOf } from '../requests/query-values.ts';
import type { AdminRequest, Route } from '../route.ts';
import { timestampSchema } from '../schema/timestamp.ts';
import type { AuditLog } from './audit-log.ts';
import { auditEventRecord, auditKinds, recordTypes } from './schema.ts';

const path = '/admin/auditEvent';
const filters = ['q', 'recordType', 'recordId', 'clientId', 'since', 'until', 'kind', ...identityFilters];

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
        {
          name: 'recordType',
          description: 'Only changes to records of this type.',
          schema: { enum: recordTypes },
        },
        {
          name: 'recordId',
          description: 'Only changes to the record with this id.',
          schema: { type: 'string' },
        },
        {
          name: 'clientId',
          description: 'Only events of requests that used this client, and changes of it.',
          schema: { type: 'string' },
        },
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
      answer: {
        status: 200,
        description: 'A page of the list.',
        schema: { type: 'array', items: { $ref: '#/components/schemas/AuditEvent' } },
        headers: ['Link'],
      },
      errors: [400],
      handle: (request) => {
        const filter = {
          q: filterOf(request, 'q'),
          recordType: filterOf(request, 'recordType'),
          recordId: filterOf(request, 'recordId'),
          clientId: filterOf(request, 'clientId'),
          since: timeOf(request, 'since'),
          until: timeOf(request, 'until'),
          person: identityOfQuery(request),
          kind: kindOf(request),
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

/** @throws OAuthError `invalid_request` */
function kindOf(request: AdminRequest): AuditKind | undefined {
  const given = filterOf(request, 'kind');
  const kind = auditKinds.find((each) => each === given);
  if (kind !== undefined || given === undefined) return kind;
  throw new OAuthError('invalid_request', {
    rule: 'described_parameter',
    description: `The parameter kind must be one of ${auditKinds.join(', ')}.`,
  });
}
