import {
  type ImportedClient,
  type ImportedResourceServer,
  readRecord,
  type ScopesByKey,
  storedFields,
} from '@watchword/administration';
import { isObject, noIdentityProvider } from '@watchword/protocol';
import { kindOf } from '@watchword/server/schemas';
import * as v from 'valibot';
import { UsageError } from '../command/usage-error.ts';
import { strictClientSchema, strictResourceServerSchema } from './strict-records.ts';

/** The owner of a resource server whose entry names none: that of records that the command line registers. */
const usualOwner = 'operator';
// More problems are only counted.
const maxShown = 20;

const expected = (what: string) => (issue: v.BaseIssue<unknown>) =>
  `expected ${what}, got ${kindOf(issue.input)}`;
const text = v.string(expected('a text'));
/** `null` is the same as an absent member. */
const optionalText = v.nullish(text);
/** Members that are not named here are fields of the record, which the rules of the record read. */
const record = v.custom<Readonly<Record<string, unknown>>>(isObject, expected('an object'));

/** Of a record without its key or clientId. */
const missing = expected('a text');

/** Another resource server of a client, by its key. Entries with record ids are read as those of the field. */
const byKey = v.strictObject(
  { key: text, scopes: v.array(text, expected('a list of texts')) },
  'expected key and scopes, or resourceServerId and scopes',
);
const isByKey = (entry: unknown): entry is ScopesByKey => isObject(entry) && Object.hasOwn(entry, 'key');
const otherServers = v.lazy((others) =>
  Array.isArray(others) ? v.array(v.lazy((entry) => (isByKey(entry) ? byKey : v.unknown()))) : v.unknown(),
);

const client = v.pipe(
  record,
  v.looseObject(
    { clientId: text, secret: optionalText, otherResourceServers: v.optional(otherServers) },
    missing,
  ),
);
const resourceServer = v.pipe(
  record,
  v.looseObject(
    {
      key: text,
      secret: optionalText,
      owner: optionalText,
      ownerAuthority: optionalText,
      clients: v.nullish(v.array(client, expected('a list of clients'))),
    },
    missing,
  ),
);
const document = v.pipe(
  record,
  v.strictObject(
    { resourceServers: v.array(resourceServer, expected('a list of resource servers')) },
    'expected an object with resourceServers and nothing else',
  ),
);

/** Reads the records of an import as the administration interface reads them. @throws UsageError for another structure */
export async function parseImport(place: string, value: unknown): Promise<ImportedResourceServer[]> {
  const result = v.safeParse(document, value, { abortPipeEarly: true });
  if (!result.success) throw new UsageError([`${place}:`, ...problemsOf(result.issues)].join('\n  '));
  return Promise.all(result.output.resourceServers.map(importedResourceServer));
}

async function importedResourceServer({
  clients,
  ...given
}: v.InferOutput<typeof resourceServer>): Promise<ImportedResourceServer> {
  const { key, secret, owner, ownerAuthority } = given;
  const { given: submitted, malformed } = await readRecord(strictResourceServerSchema, given);
  return {
    key,
    secret: secret ?? undefined,
    owner: { name: owner ?? usualOwner, identityProvider: ownerAuthority ?? noIdentityProvider },
    submitted: { apply: ({ scopeDescriptions }) => storedFields(submitted, scopeDescriptions), malformed },
    clients: await Promise.all((clients ?? []).map(importedClient)),
  };
}

async function importedClient(given: v.InferOutput<typeof client>): Promise<ImportedClient> {
  const { clientId, secret, otherResourceServers: listed } = given;
  const [othersByKey, others] = Array.isArray(listed)
    ? [listed.filter(isByKey), listed.filter((entry) => !isByKey(entry))]
    : [[], listed];
  const { given: fields, malformed } = await readRecord(strictClientSchema, {
    ...given,
    otherResourceServers: others,
  });
  return {
    ...{ clientId, secret: secret ?? undefined, othersByKey },
    submitted: { apply: () => fields, malformed },
  };
}

function problemsOf(issues: readonly v.BaseIssue<unknown>[]): string[] {
  const shown = issues
    .slice(0, maxShown)
    .map((issue) => `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}`);
  const more = issues.length - shown.length;
  return more > 0 ? [...shown, `and ${more} more`] : shown;
}
