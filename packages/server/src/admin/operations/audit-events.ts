import type { AuditTrail, PageRequest, Sealer } from '@watchword/protocol';
import { answerPage, filterOf, linkNote, pagingParameters, searchParameter } from '../listing.ts';
import type { Operation } from '../operation.ts';
import { auditEventRecord, recordTypes } from '../records/audit-event.ts';

const path = '/admin/auditEvent';
const filters = ['q', 'recordType', 'recordId'];

export function auditEventOperations({
  auditTrail,
  sealer,
}: {
  readonly auditTrail: AuditTrail;
  readonly sealer: Sealer;
}): Operation[] {
  return [
    {
      id: 'listAuditEvents',
      method: 'GET',
      path,
      tag: 'Audit trail',
      summary: 'Read who changed what',
      description: `Changes to records of the caller, to administrators all, the newest first. ${linkNote}`,
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
        ...pagingParameters(),
      ],
      answer: {
        status: 200,
        description: 'A page of them.',
        schema: { type: 'array', items: { $ref: '#/components/schemas/AuditEvent' } },
        headers: ['Link'],
      },
      refusals: [400],
      handle: (request) => {
        const filter = {
          q: filterOf(request, 'q'),
          recordType: filterOf(request, 'recordType'),
          recordId: filterOf(request, 'recordId'),
        };
        return answerPage(
          request,
          { path, filters },
          sealer,
          (page: PageRequest<string>) => auditTrail(request.caller, filter, page),
          auditEventRecord,
        );
      },
    },
  ];
}
