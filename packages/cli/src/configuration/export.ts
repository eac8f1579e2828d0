import type { Client, DescribedResourceServer } from '@watchword/admin-client';
import { schemaVersion } from '@watchword/administration';
import {
  clientFields,
  defaultOf,
  type FieldTable,
  isReservedIdentityProvider,
  noIdentityProvider,
  resourceServerFields,
  submittedFields,
  systemIdentityProvider,
  usesSecret,
} from '@watchword/protocol';
import type { Command } from 'commander';
import { dump } from 'js-yaml';
import { recordCommand, withAdministration } from '../administration/with-administration.ts';
import { examples } from '../command/examples.ts';
import { repeated } from '../command/options.ts';

const help = `
It prints the file that "watchword apply" reads, of all resource servers with their clients, or of some; records that another configuration
manages are left out. The database has no secret: the file has references, env:NAME, that you fill in. Remove one, and the record keeps
the secret that it has.`;

const usualName = 'watchword';

export function exportCommand(): Command {
  return recordCommand('export', 'print resource servers and clients as a file for "apply"')
    .option('--name <name>', `name of the configuration (default: ${usualName})`, usualName)
    .option(
      '--resource-server <key>',
      'only this resource server with its clients; can be repeated',
      repeated,
    )
    .addHelpText('before', examples('> clients.yaml', '--resource-server orders --name orders'))
    .addHelpText('after', help)
    .action((options) =>
      withAdministration(options, async ({ administration, output }) => {
        const { resourceServers, clients } = await administration.configurations.records();
        const only: readonly string[] | undefined = options.resourceServer;
        const document = documentOf(options.name, resourceServers, clients, only);
        if (options.json === true) output.record(document);
        else options.io.stdout.write(`${heading}${dump(document, { lineWidth: -1, noRefs: true })}`);
      }),
    );
}

// The editor finds what "watchword apply --schema" printed beside the file.
const heading = `# yaml-language-server: $schema=schema.json
# Secrets are references, env:NAME or file:PATH. Without one a record keeps the secret that it has.
`;

function documentOf(
  name: string,
  servers: readonly DescribedResourceServer[],
  clients: readonly Client[],
  only: readonly string[] | undefined,
) {
  const isMine = ({ managedBy }: { readonly managedBy: string }) => managedBy === '' || managedBy === name;
  const own = servers.filter(({ ownerAuthority }) => ownerAuthority !== systemIdentityProvider);
  const keys = new Map(own.map(({ id, key }) => [id, key]));
  const isWanted = (key: string | undefined): key is string =>
    key !== undefined && (only === undefined || only.includes(key));
  const variables = new Set<string>();
  return {
    version: schemaVersion,
    name,
    resourceServers: own
      .filter((server) => isMine(server) && isWanted(server.key))
      .map((server) => ({
        key: server.key,
        secret: referenceFor(server.key, variables),
        ...ownerOf(server),
        ...others(resourceServerFields, { ...server, scopes: shortest(server.scopes) }),
      })),
    clients: clients.flatMap((client) => {
      const home = keys.get(client.resourceserver_id);
      if (!isMine(client) || !isWanted(home)) return [];
      const { otherResourceServers: used, ...fields } = client;
      const known = used.flatMap(({ resourceServerId, scopes }) => {
        const key = keys.get(resourceServerId);
        return key === undefined ? [] : [{ key, scopes }];
      });
      const hasSecret = usesSecret(client) && client.lacksSecret !== true;
      return [
        {
          clientId: client.clientId,
          resourceServer: home,
          ...(hasSecret && { secret: referenceFor(client.clientId, variables) }),
          ...others(clientFields, fields),
          ...(known.length > 0 && { otherResourceServers: known }),
        },
      ];
    }),
  };
}

/** The fields that have other values than their defaults, in the order of the table. */
function others(table: FieldTable, record: object): Record<string, unknown> {
  const values = record as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    submittedFields(table)
      .map(([name, field]) => [name, values[name], field] as const)
      .filter(
        ([, value, field]) =>
          value !== undefined && JSON.stringify(value) !== JSON.stringify(defaultOf(field)),
      )
      .map(([name, value]) => [name, value]),
  );
}

/** A scope that nobody described is its name. */
function shortest(scopes: DescribedResourceServer['scopes']) {
  return scopes.map((scope) => (scope.description || scope.descriptions ? scope : scope.name));
}

/** The owner that a command would not choose, if a file can name it. */
function ownerOf({ owner, ownerAuthority }: DescribedResourceServer) {
  if (ownerAuthority === noIdentityProvider) return owner === 'operator' ? {} : { owner };
  return isReservedIdentityProvider(ownerAuthority) ? {} : { owner, ownerAuthority };
}

function referenceFor(name: string, taken: Set<string>): string {
  const variable = `SECRET_${name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')}`;
  let free = variable;
  for (let count = 2; taken.has(free); count += 1) free = `${variable}_${count}`;
  taken.add(free);
  return `env:${free}`;
}
