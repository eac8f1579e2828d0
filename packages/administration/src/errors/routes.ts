import type { Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { filterOf, numberOf } from '../requests/query-values.ts';
import type { QueryParameter, Route } from '../route.ts';
import { type RequestErrorAdministration, requestErrorHours, summaryLimit } from './request-errors.ts';
import { requestErrorExplanation, requestErrorRecord, requestErrorSummary } from './schema.ts';

const tag = 'Request errors';
const path = '/admin/requestError';

const ofClient: QueryParameter = {
  name: 'clientId',
  description: 'Only requests about this client.',
  schema: { type: 'string' },
};

const scopeNote =
  'Administrators get those of all clients, other callers those of the clients of their resource servers. This node has at most 1,000 of each client and 10,000 in all in memory. Those of authenticated clients are also stored: they outlast a restart, and other nodes have them too.';

export function requestErrorRoutes({
  requestErrorAdministration,
  sealer,
}: {
  readonly requestErrorAdministration: RequestErrorAdministration;
  readonly sealer: Sealer;
}): Route[] {
  return [
    {
      id: 'listRequestErrors',
      method: 'GET',
      path,
      tag,
      summary: 'List the requests of the last day that ended in an error',
      description: `Each has the reason, for the developer of the client. ${scopeNote} The newest come first. ${linkNote}`,
      scope: 'read',
      query: [
        ofClient,
        {
          name: 'error',
          description: 'Only requests that were answered with this error code.',
          schema: { type: 'string' },
        },
        ...pagingParameters(),
      ],
      answer: {
        status: 200,
        description: 'A page of the list.',
        schema: { type: 'array', items: { $ref: '#/components/schemas/RequestError' } },
        headers: ['Link'],
      },
      errors: [400],
      handle: (request) => {
        const filter = { clientId: filterOf(request, 'clientId'), error: filterOf(request, 'error') };
        return answerPage(
          request,
          { path, filters: ['clientId', 'error'] },
          sealer,
          (page: PageRequest<string>) => requestErrorAdministration.list(request.caller, filter, page),
          requestErrorRecord,
        );
      },
    },
    {
      id: 'summarizeRequestErrors',
      method: 'GET',
      path: `${path}/summary`,
      tag,
      summary: 'Count requests that ended in an error, by client and reason',
      description: `The newest ${summaryLimit} errors are counted. ${scopeNote}`,
      scope: 'read',
      query: [
        ofClient,
        {
          name: 'hours',
          description: 'The number of past hours that are counted.',
          schema: { type: 'integer', minimum: 1, maximum: requestErrorHours, default: requestErrorHours },
        },
      ],
      answer: {
        status: 200,
        description: 'The numbers.',
        schema: { $ref: '#/components/schemas/RequestErrorSummary' },
      },
      errors: [400],
      handle: async (request) => {
        const hours = numberOf(request, 'hours', requestErrorHours, requestErrorHours);
        const filter = { clientId: filterOf(request, 'clientId') };
        const summary = await requestErrorAdministration.summary(request.caller, filter, hours);
        return { status: 200, body: requestErrorSummary(summary) };
      },
    },
    {
      id: 'explainRequestError',
      method: 'GET',
      path: `${path}/{requestId}`,
      tag,
      summary: 'Explain why one request was refused, and what mends it',
      description:
        'Every answer has the id in the header x-request-id, and an error page shows it. Administrators can ask about every error of the last day, other callers about those of the clients of their resource servers. Errors of requests that name no client are only in the memory of the node that answered, the last 100 of each address. A node that does not have an error asks all others, within a second.',
      scope: 'read',
      answer: {
        status: 200,
        description: 'The explanation.',
        schema: { $ref: '#/components/schemas/RequestErrorExplanation' },
      },
      errors: [404],
      handle: async ({ caller, path: { requestId = '' } }) => ({
        status: 200,
        body: requestErrorExplanation(await requestErrorAdministration.explain(caller, requestId)),
      }),
    },
  ];
}
