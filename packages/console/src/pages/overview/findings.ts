import type {
  IdentityProvider,
  LogoutDelivery,
  RequestErrorSummary,
  StatisticsPage,
} from '@watchword/admin-client';
import { durationText, fromNow } from '../../format/time.ts';
import { routeTo } from '../../router/place.ts';
import { clientNamedRoute, clientRoute, routes } from '../../router/routes.ts';
import type { TextKey } from '../../texts/parameters.ts';
import { t } from '../../texts/texts.ts';

/** Something that an operator, or the owner of a client, should look at. */
export interface Finding {
  /** One or two sentences, distinct from those of other findings. */
  readonly text: string;
  /** The page that shows more of it, and its name. Some findings are about the machine, which no page shows. */
  readonly link?: { readonly to: string; readonly label: string };
}

interface Sources {
  readonly statistics: StatisticsPage;
  readonly summary: RequestErrorSummary;
  /** Identity providers that no configuration names. */
  readonly removed: readonly IdentityProvider[];
  /** Logout tokens without another attempt, or the newest of them. */
  readonly undelivered: readonly LogoutDelivery[];
  /** Epoch milliseconds. */
  readonly now: number;
}

/** A client with fewer refused requests in a day can be a developer who tries something. */
const fewRefused = 10;
/** So many of its requests can fail in normal use: users return with expired refresh tokens, and bots guess. */
const usualShare = 0.05;
/** So many failed logins in an hour are usual everywhere. */
const fewFailedLogins = 20;
/** Bytes. A backup, or a busy day, needs more. */
const littleSpace = 512 * 1024 * 1024;

/** What is wrong, the worst first. Nothing of it is a guess: each finding names what was counted. */
export function findingsOf({ statistics, summary, removed, undelivered, now }: Sources): readonly Finding[] {
  return [
    ...healthFindings(statistics, now),
    ...refusedFindings(statistics, summary),
    ...undeliveredFindings(undelivered),
    ...removed.map(({ identityProvider, grants }) => ({
      text: t('finding.identityProvider', { identityProvider, grants }),
      link: identityProviders(),
    })),
  ];
}

function healthFindings({ health, errors }: StatisticsPage, now: number): readonly Finding[] {
  if (health === undefined) return [];
  const { database, work, failedLogins, authenticators, signingProblems, drifted } = health;
  const { lastHour, hourBefore } = failedLogins;
  const failures = errors.find(({ error }) => error === 'server_error')?.requests ?? 0;
  return [
    ...(database.problem === null ? [] : [{ text: t('finding.database', { problem: database.problem }) }]),
    ...(database.free === null || database.free > littleSpace
      ? []
      : [{ text: t('finding.space', { megabytes: Math.floor(database.free / 1024 / 1024) }) }]),
    ...work
      .filter(({ overdue }) => overdue)
      .map(({ name, lastSuccess }) => ({
        text: t(lastSuccess === null ? 'finding.neverRan' : 'finding.overdue', {
          work: workName(name),
          age: durationText(Math.round((now - (lastSuccess ?? now)) / 1000)),
        }),
      })),
    ...authenticators.flatMap(({ name, problems }) =>
      problems.map((problem) => ({
        text: t('finding.authenticator', { name, problem }),
        link: identityProviders(),
      })),
    ),
    ...signingProblems.map((problem) => ({
      text: t('finding.signingKeys', { problem }),
      link: { to: routes.signingKeys, label: t('keys.title') },
    })),
    ...drifted.flatMap(driftFindings),
    ...unconfirmedFindings(health.unconfirmedClients),
    ...expiringFindings(health.expiringSecrets, now),
    ...(failures === 0 ? [] : [{ text: t('finding.serverError', { requests: failures }) }]),
    ...(lastHour >= fewFailedLogins && lastHour > 2 * hourBefore
      ? [
          {
            text: t('finding.failedLogins', { lastHour, hourBefore }),
            link: { to: routeTo(routes.audit, { type: 'logins' }), label: t('audit.title') },
          },
        ]
      : []),
  ];
}

/** With a client that differs, where one does. */
function driftFindings({
  configuration,
  records,
  example,
  restored,
}: NonNullable<StatisticsPage['health']>['drifted'][number]): readonly Finding[] {
  const isClient = example?.recordType === 'client';
  const link = isClient && { link: { to: clientNamedRoute(example.name), label: example.name } };
  return [
    ...(records === 0 ? [] : [{ text: t('finding.drifted', { configuration, records }), ...link }]),
    ...(restored ? [{ text: t('finding.restored', { configuration }) }] : []),
  ];
}

/** Clients get less of their users until an administrator confirms them. */
function unconfirmedFindings({
  count,
  first,
}: NonNullable<StatisticsPage['health']>['unconfirmedClients']): readonly Finding[] {
  if (count === 0 || first === null) return [];
  return [
    {
      text: t('finding.unconfirmed', { count, client: first.clientName }),
      link: { to: clientRoute(first.resourceserver_id, first.id), label: t('finding.confirm') },
    },
  ];
}

/** Clients that soon cannot authenticate any more. */
function expiringFindings(
  { count, first }: NonNullable<StatisticsPage['health']>['expiringSecrets'],
  now: number,
): readonly Finding[] {
  if (count === 0 || first === null) return [];
  const { clientName: client, secretExpires } = first;
  return [
    {
      text: t('finding.expiringSecrets', { count, client, when: fromNow(secretExpires, now) }),
      link: {
        to: routeTo(clientRoute(first.resourceserver_id, first.id), { tab: 'secrets' }),
        label: t('finding.confirm'),
      },
    },
  ];
}

/** By client: users who logged out are still logged in there. */
function undeliveredFindings(undelivered: readonly LogoutDelivery[]): readonly Finding[] {
  return [...Map.groupBy(undelivered, ({ clientId }) => clientId)].map(([clientId, of]) => ({
    text: t('finding.undelivered', { count: of.length, client: clientId }),
    link: { to: routeTo(clientNamedRoute(clientId), { tab: 'errors' }), label: t('finding.why') },
  }));
}

/** Clients that are refused more often than is usual. */
function refusedFindings(
  { clients, busiest }: StatisticsPage,
  { requestErrors }: RequestErrorSummary,
): readonly Finding[] {
  const byClient = new Map<number, { readonly first: (typeof requestErrors)[number]; requests: number }>();
  for (const group of requestErrors) {
    const known = byClient.get(group.client.id);
    // The most frequent reason of a client comes first.
    if (known === undefined) byClient.set(group.client.id, { first: group, requests: group.requests });
    else known.requests += group.requests;
  }
  const issuedTo = new Map([...busiest, ...clients].map(({ id, issued }) => [id, issued]));
  return [...byClient.values()]
    .filter(({ first, requests }) => {
      const share = requests / (requests + (issuedTo.get(first.client.id) ?? 0));
      return requests >= fewRefused && share >= usualShare;
    })
    .map(({ first: { client, reason }, requests }) => ({
      text: t('finding.refused', { client: client.clientName, requests, reason }),
      link: {
        to: routeTo(clientRoute(client.resourceserver_id, client.id), { tab: 'errors' }),
        label: t('finding.why'),
      },
    }));
}

function identityProviders() {
  return { to: routes.identityProviders, label: t('providers.title') };
}

/** Work that these pages do not know is shown by its name. */
function workName(name: string): string {
  const names: Readonly<Record<string, TextKey>> = {
    purge: 'work.purge',
    'key-rotation': 'work.keyRotation',
    'signing-keys': 'work.signingKeys',
    'issued-counts': 'work.issuedCounts',
  };
  const key = names[name];
  return key === undefined ? name : t(key as 'work.purge');
}
