import {
  because,
  type Client,
  errorCause,
  type IssuedCount,
  OAuthError,
  type Random,
  type RequestError,
  timeOrderedId,
} from '@watchword/protocol';
import { newRequestIds } from '../http/request-ids.ts';
import { busyness, evenNumbers, hoursOfHistory } from './shape.ts';

const hourMs = 3_600_000;

interface Traffic {
  readonly clientId: string;
  readonly grantType: string;
  /** Tokens in a busy hour. */
  readonly tokens: number;
  /** Machines do not sleep; a night job works at two o'clock. */
  readonly by?: 'machines' | 'nightJob';
}

const traffic: readonly Traffic[] = [
  { clientId: 'tandem-web-shop', grantType: 'authorization_code', tokens: 14 },
  { clientId: 'tandem-web-shop', grantType: 'refresh_token', tokens: 34 },
  { clientId: 'tandem-phone', grantType: 'authorization_code', tokens: 3 },
  { clientId: 'tandem-phone', grantType: 'refresh_token', tokens: 22 },
  { clientId: 'tandem-till', grantType: 'refresh_token', tokens: 6 },
  { clientId: 'tandem-newsletter', grantType: 'refresh_token', tokens: 2 },
  { clientId: 'tandem-tablet', grantType: 'refresh_token', tokens: 9 },
  { clientId: 'tandem-booking', grantType: 'authorization_code', tokens: 4 },
  { clientId: 'tandem-showroom', grantType: 'implicit', tokens: 2 },
  { clientId: 'tandem-wiki', grantType: 'authorization_code', tokens: 3 },
  { clientId: 'tandem-planner', grantType: 'authorization_code', tokens: 2 },
  { clientId: 'tandem-planner', grantType: 'refresh_token', tokens: 16 },
  { clientId: 'tandem-stock', grantType: 'client_credentials', tokens: 12, by: 'machines' },
  { clientId: 'tandem-trackers', grantType: 'client_credentials', tokens: 8, by: 'machines' },
  { clientId: 'tandem-invoices', grantType: 'client_credentials', tokens: 30, by: 'nightJob' },
];

type Clients = ReadonlyMap<string, Client>;

/** How many tokens each client of the company got in each hour. The current hour has begun. */
export function issuedTokens(clients: Clients, now: number): IssuedCount[] {
  const next = evenNumbers(11);
  const current = Math.floor(now / hourMs);
  return traffic.flatMap(({ clientId, grantType, tokens: most, by }) => {
    const clientRecordId = clients.get(clientId)?.id;
    if (clientRecordId === undefined) return [];
    return Array.from({ length: hoursOfHistory }, (_, index) => {
      const hour = current - hoursOfHistory + 1 + index;
      const part = hour === current ? (now % hourMs) / hourMs : 1;
      const tokens = Math.round(most * activity(by, hour) * (0.7 + 0.6 * next()) * part);
      return { clientRecordId, grantType, hour, tokens };
    }).filter(({ tokens }) => tokens > 0);
  });
}

function activity(by: Traffic['by'], hour: number): number {
  if (by === 'machines') return 1;
  if (by === 'nightJob') return hour % 24 === 2 ? 1 : 0;
  return busyness(hour);
}

interface Failure {
  readonly clientId: string;
  /** In the last day, and in all days before. */
  readonly times: readonly [today: number, before: number];
  readonly error: () => OAuthError;
}

const failures: readonly Failure[] = [
  {
    // Enough of them that the overview names the client.
    ...{ clientId: 'tandem-stock', times: [24, 6] },
    error: () =>
      new OAuthError(
        'invalid_scope',
        because('available_scope', { missing: 'orders:read', available: ['products:read'] }),
      ),
  },
  {
    ...{ clientId: 'tandem-booking', times: [3, 9] },
    error: () =>
      new OAuthError(
        'invalid_grant',
        because('code_redirect_uri', {
          asked: 'https://booking.tandem.example/callback',
          sent: 'https://booking.tandem.example/callback/',
        }),
      ),
  },
  {
    ...{ clientId: 'tandem-web-shop', times: [2, 14] },
    error: () => new OAuthError('invalid_grant', because('known_code', { fingerprint: undefined })),
  },
];

/** What the server refused to clients of the company. */
export function refusedRequests(clients: Clients, now: number, random: Random): RequestError[] {
  const next = evenNumbers(13);
  const newId = newRequestIds();
  return failures.flatMap(({ clientId, times: [today, before], error }) => {
    const clientRecordId = clients.get(clientId)?.id;
    if (clientRecordId === undefined) return [];
    return Array.from({ length: today + before }, (_, index) => {
      const hours = index < today ? 0.2 + 23 * next() : 25 + (hoursOfHistory - 26) * next();
      const time = Math.floor(now - hours * hourMs);
      return {
        ...errorCause(error()),
        ...{
          id: timeOrderedId(time, random),
          time,
          clientRecordId,
          endpoint: 'token',
          isAuthenticated: true,
        },
        requestId: newId(),
      } as const;
    });
  });
}
