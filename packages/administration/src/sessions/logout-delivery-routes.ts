import type { Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { filterOf, filterParameter, flagOf, uuid } from '../requests/parameters.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import type { ListedLogoutDelivery, LogoutDeliveryAdministration } from './logout-deliveries.ts';

const properties = {
  id: { type: 'string', format: 'uuid' },
  clientId: { type: 'string', description: 'The client that gets the logout token.' },
  uri: { type: 'string', description: 'Its back-channel logout URI, as it is registered now.' },
  sid: { type: 'string', description: 'The claim sid of its ID tokens in the session.' },
  endedAt: { ...timestampSchema, description: 'When the session ended, in epoch milliseconds.' },
  attempts: { type: 'integer', minimum: 0, description: 'Number of attempts that failed.' },
  nextAttempt: {
    type: ['integer', 'null'],
    description:
      'Time of the next attempt, in epoch milliseconds; null when there is none, because the client has rejected the token or the last attempt failed.',
  },
  failure: { type: ['string', 'null'], description: 'Why the last attempt failed.' },
} as const;

export const logoutDeliverySchema: JsonSchema = objectSchema(
  'A logout token for a client that has not accepted it. It is kept for a week after the end of the session.',
  properties,
);

/** The delivery without the subject of the user. */
function logoutDeliveryRecord(delivery: ListedLogoutDelivery) {
  const { id, client, sid, endedAt, attempts, nextAttempt, failure } = delivery;
  const { clientId, backchannelLogoutUri: uri } = client;
  const next = { nextAttempt: nextAttempt ?? null, failure: failure ?? null };
  return { id, clientId, uri, sid, endedAt, attempts, ...next };
}

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
        filterParameter('clientId', 'Only deliveries to this client.'),
        filterParameter(
          'failed',
          'true: only deliveries without another attempt. false: only those that have one.',
          'boolean',
        ),
        ...pagingParameters(),
      ],
      answer: pageOf({ $ref: '#/components/schemas/LogoutDelivery' }),
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
