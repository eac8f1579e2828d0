import type { Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { uuid } from '../requests/path-ids.ts';
import { filterOf, flagOf } from '../requests/query-values.ts';
import type { Route } from '../route.ts';
import type { LogoutDeliveryAdministration } from './logout-deliveries.ts';
import { logoutDeliveryRecord } from './logout-delivery-schema.ts';

const tag = 'Logout deliveries';
const path = '/admin/logoutDelivery';

const scopeNote =
  'Administrators get those of all clients, other callers those of the clients of their resource servers.';

export function logoutDeliveryRoutes({
  logoutDeliveryAdministration,
  sealer,
}: {
  readonly logoutDeliveryAdministration: LogoutDeliveryAdministration;
  readonly sealer: Sealer;
}): Route[] {
  return [
    {
      id: 'listLogoutDeliveries',
      method: 'GET',
      path,
      tag,
      summary: 'List the logout tokens that clients have not accepted',
      description: `A delivery that succeeds leaves the list. ${scopeNote} Those of the newest sessions come first. ${linkNote}`,
      scope: 'read',
      query: [
        {
          name: 'clientId',
          description: 'Only deliveries to this client.',
          schema: { type: 'string' },
        },
        {
          name: 'failed',
          description: 'true: only deliveries without another attempt. false: only those that have one.',
          schema: { type: 'boolean' },
        },
        ...pagingParameters(),
      ],
      answer: {
        status: 200,
        description: 'A page of the list.',
        schema: { type: 'array', items: { $ref: '#/components/schemas/LogoutDelivery' } },
        headers: ['Link'],
      },
      errors: [400],
      handle: (request) => {
        const filter = { clientId: filterOf(request, 'clientId'), failed: flagOf(request, 'failed') };
        return answerPage(
          request,
          { path, filters: ['clientId', 'failed'] },
          sealer,
          (page: PageRequest<string>) => logoutDeliveryAdministration.list(request.caller, filter, page),
          logoutDeliveryRecord,
        );
      },
    },
    {
      id: 'retryLogoutDelivery',
      method: 'POST',
      path: `${path}/{id}/retry`,
      tag,
      summary: 'Deliver a logout token again',
      description: `The server makes an attempt now, and further attempts as for a new delivery. ${scopeNote}`,
      scope: 'write',
      answer: { status: 204, description: 'The delivery is due.' },
      errors: [404],
      handle: async (request) => {
        await logoutDeliveryAdministration.retry(request.caller, uuid(request));
        return { status: 204 };
      },
    },
  ];
}
