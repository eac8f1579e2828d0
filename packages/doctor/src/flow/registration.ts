import type { AnsweredClient } from '@watchword/administration';
import {
  administrationKey,
  isLoopbackHost,
  profileChecks,
  redirectUriProblem,
  shellCommand,
} from '@watchword/protocol';
import { broken, type Finding, ok, warning } from '../finding.ts';
import type { Reached } from '../patient.ts';

/** What finds the records of a flow. */
export interface Records {
  readonly clients: { find(clientId: string): Promise<AnsweredClient> };
  readonly resourceServers: {
    list(page: { readonly limit: number; readonly after: number }): Promise<{
      readonly rows: readonly Readonly<Record<string, unknown>>[];
    }>;
  };
}

/** A client as it is registered. */
export interface Registration {
  readonly client: AnsweredClient;
  /** Key of its resource server; `undefined` if the caller cannot see it. */
  readonly resourceServer: string | undefined;
  /** The URI by which the client names its resource server in requests (RFC 8707); `undefined` if that has none. */
  readonly resource?: string | undefined;
}

interface AtServer extends Registration {
  readonly server: Pick<Reached, 'baseUrl' | 'configuration'>;
}

/** @throws OAuthError `not_found` */
export async function registrationOf(
  clientId: string,
  { clients, resourceServers }: Records,
): Promise<Registration> {
  const client = await clients.find(clientId);
  const id = client.resourceserver_id;
  const {
    rows: [row],
  } = await resourceServers.list({ limit: 1, after: id - 1 });
  if (row?.id !== id) return { client, resourceServer: undefined };
  // A server of an earlier release has none.
  const [resource] = (row.resources ?? []) as readonly string[];
  return { client, resourceServer: String(row.key), resource };
}

/** How to learn why a request of the client was refused. */
export function errorsAdvice({ client, server }: Pick<AtServer, 'client' | 'server'>): string {
  const named = { client: client.clientId, url: server.baseUrl };
  // The database lacks the errors of clients that did not authenticate.
  return `${shellCommand('watchword client errors {client} --url {url}', named)} shows the reason`;
}

/** Whether the client can get a token at all, by its registration. */
export function registrationFindings({ client }: Registration): readonly Finding[] {
  const { clientId, confidential, redirectUris, allowedClientCredentials } = client;
  const command = (template: string) => shellCommand(template, { client: clientId });
  const update = command('watchword client update {client} --redirect-uri REDIRECT_URI');
  const problems: Finding[] = [];
  if (client.lacksSecret === true) {
    problems.push(
      broken(`the client ${clientId} is confidential and has no secret`, {
        expected: 'a secret, with which it authenticates',
        advice: command('watchword client rotate-secret {client}'),
      }),
    );
  }
  if (redirectUris.length === 0 && !allowedClientCredentials) {
    problems.push(
      broken(`the client ${clientId} is registered for no grant`, {
        expected: 'a redirect URI, or client credentials',
        advice: `${update}, or --allow-client-credentials true for an application without users`,
      }),
    );
  }
  for (const uri of redirectUris) {
    const problem = redirectUriProblem(uri);
    if (problem === undefined) continue;
    problems.push(
      broken(`the redirect URI ${uri} ${problem}`, {
        expected: 'redirect URIs that can be registered today',
        advice: update,
      }),
    );
  }
  if (problems.length > 0) return problems;
  const kind = confidential ? 'confidential' : 'public';
  return [ok(`${clientId} is a ${kind} client, registered for ${grantsOf(client).join(', ')}`)];
}

/** What the profile of the server asks, and the client lacks by its registration. Its requests show whether they are refused. */
export function profileFindings({ client, resourceServer, server }: AtServer): readonly Finding[] {
  const profile = server.configuration?.profile ?? 'compatible';
  const onlyAdministers = resourceServer === administrationKey && client.otherResourceServers.length === 0;
  const named = { client: client.clientId };
  // Its file alone changes it.
  const isFixed = client.managedBy !== '';
  const found = profileChecks(profile)?.ofClient(client, onlyAdministers) ?? [];
  return found.map(({ field, problem, requirement, advice, command }) =>
    warning(`${field} ${problem}, which the profile ${profile} does not permit`, {
      expected: requirement,
      advice: isFixed || command === undefined ? advice : `${advice} ${shellCommand(command, named)}`,
    }),
  );
}

/** The grants that are played, in the words of RFC 6749. */
export function grantsOf(client: AnsweredClient): readonly string[] {
  const { redirectUris, allowedImplicitGrant, allowedClientCredentials, useRefreshTokens } = client;
  const hasUsers = redirectUris.length > 0;
  return [
    ...(hasUsers ? [allowedImplicitGrant ? 'implicit grant' : 'authorization code with PKCE'] : []),
    ...(hasUsers && useRefreshTokens && !allowedImplicitGrant ? ['refresh token'] : []),
    ...(allowedClientCredentials ? ['client credentials'] : []),
  ];
}

/** Whether only the machine of a user can open the redirect URI. */
export function isOnDevice(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return !/^https?:$/.test(protocol) || isLoopbackHost(hostname);
}
