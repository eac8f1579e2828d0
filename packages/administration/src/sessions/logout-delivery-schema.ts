import type { JsonSchema } from '../schema/json-schema.ts';
import { timestampSchema } from '../schema/timestamp.ts';
import type { ListedLogoutDelivery } from './logout-deliveries.ts';

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

export const logoutDeliverySchema: JsonSchema = {
  type: 'object',
  description:
    'A logout token for a client that has not accepted it. It is kept for a week after the end of the session.',
  properties,
  required: Object.keys(properties),
};

/** The delivery without the subject of the user. */
export function logoutDeliveryRecord(delivery: ListedLogoutDelivery) {
  const { id, client, sid, endedAt, attempts, nextAttempt, failure } = delivery;
  const { clientId, backchannelLogoutUri: uri } = client;
  const next = { nextAttempt: nextAttempt ?? null, failure: failure ?? null };
  return { id, clientId, uri, sid, endedAt, attempts, ...next };
}
