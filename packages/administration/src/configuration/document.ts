import {
  type ClientRegistration,
  isObject,
  type JsonObject,
  misspelledName,
  type Scopes,
  shown,
} from '@watchword/protocol';
import type { ResourceServerRegistration } from '../resource-servers/resource-server-rules.ts';
import { storedFields } from '../resource-servers/schema.ts';
import { readRecord } from '../schema/read-record.ts';
import { isSubmittedField, type RecordSchema } from '../schema/record-schema.ts';
import type { Place, Refusals } from './refusals.ts';
import { configuredClientSchema, configuredResourceServerSchema, schemaVersion } from './schema.ts';

/** Resource servers and clients, as one file has them. Of every record it says everything: a field that is left out has its default. */
export interface Configuration {
  readonly name: string;
  readonly resourceServers: readonly ConfiguredResourceServer[];
  readonly clients: readonly ConfiguredClient[];
}

interface ConfiguredRecord<Fields> {
  /** Where it is in the document. */
  readonly place: Place;
  /** The value itself; `undefined`: a record that exists keeps its secret. */
  readonly secret: string | undefined;
  readonly fields: Partial<Fields>;
}

export interface ConfiguredResourceServer extends ConfiguredRecord<ResourceServerRegistration> {
  readonly key: string;
  /** `undefined`: a record that exists keeps its owner. */
  readonly owner: string | undefined;
  readonly ownerAuthority: string | undefined;
}

export interface ConfiguredClient extends ConfiguredRecord<Omit<ClientRegistration, 'otherResourceServers'>> {
  readonly clientId: string;
  /** Key of its home. */
  readonly resourceServer: string;
  readonly others: readonly { readonly key: string; readonly scopes: Scopes }[];
}

const topMembers = ['version', 'name', 'resourceServers', 'clients'];
const namePattern = /^[a-z0-9](?:[a-z0-9_.-]{0,61}[a-z0-9])?$/;

/** Reads a document that was parsed. What is wrong with it is added to the refusals. */
export async function readConfiguration(document: unknown, refusals: Refusals): Promise<Configuration> {
  const members = isObject(document) ? document : {};
  if (members !== document)
    refusals.add('', 'expected an object with version, name, resourceServers and clients');
  else checkMembers(members, refusals);
  return {
    name: typeof members.name === 'string' ? members.name : '',
    resourceServers: await readList(members, 'resourceServers', 'key', refusals, readResourceServer),
    clients: await readList(members, 'clients', 'clientId', refusals, readClient),
  };
}

function checkMembers(members: JsonObject, refusals: Refusals): void {
  for (const name of Object.keys(members).filter((each) => !topMembers.includes(each))) {
    const meant = misspelledName(name, topMembers);
    refusals.add(
      name,
      `${name.slice(0, 40)} is unknown here${meant === undefined ? `; known are ${topMembers.join(', ')}` : `; did you mean ${meant}?`}`,
    );
  }
  const { version, name } = members;
  if (version !== schemaVersion) {
    const came = typeof version === 'number' ? `, got ${version}: another release of Watchword reads it` : '';
    refusals.add('version', `expected ${schemaVersion}, the version of the schema of this release${came}`);
  }
  if (typeof name !== 'string' || !namePattern.test(name))
    refusals.add(
      'name',
      'expected a name for the configuration: 1 to 63 of a-z, 0-9, _, . and -, with a letter or digit at both ends',
    );
}

async function readList<Kind>(
  members: JsonObject,
  list: 'resourceServers' | 'clients',
  identifier: string,
  refusals: Refusals,
  read: (given: JsonObject, place: Place, refusals: Refusals) => Promise<Kind>,
): Promise<Kind[]> {
  const records = members[list] ?? [];
  if (!Array.isArray(records)) {
    refusals.add(list, 'expected a list');
    return [];
  }
  const seen = new Map<string, number>();
  const found: Kind[] = [];
  for (const [index, record] of records.entries()) {
    const place = `${list}/${index}`;
    const name = isObject(record) ? record[identifier] : undefined;
    if (!isObject(record)) refusals.add(place, `expected an object with ${identifier}`);
    else if (typeof name !== 'string') refusals.add(place, `${identifier} is required, a text`);
    else if (seen.has(name))
      refusals.add(
        `${place}/${identifier}`,
        `${shown(name, 80)} is here twice: ${list}/${seen.get(name)} has it too`,
      );
    else {
      seen.set(name, index);
      found.push(await read(record, place, refusals));
    }
  }
  return found;
}

async function readResourceServer(
  given: JsonObject,
  place: Place,
  refusals: Refusals,
): Promise<ConfiguredResourceServer> {
  const { key, secret, owner, ownerAuthority, ...fields } = await fieldsOf(
    configuredResourceServerSchema,
    given,
    place,
    refusals,
  );
  return { place, key: key ?? '', secret, owner, ownerAuthority, fields: storedFields(fields, []) };
}

async function readClient(given: JsonObject, place: Place, refusals: Refusals): Promise<ConfiguredClient> {
  const { otherResourceServers: others, ...members } = given;
  const { clientId, resourceServer, secret, ...fields } = await fieldsOf(
    configuredClientSchema,
    members,
    place,
    refusals,
  );
  return {
    ...{ place, clientId: clientId ?? '', resourceServer: resourceServer ?? '', secret, fields },
    others: readOthers(others ?? [], `${place}/otherResourceServers`, refusals),
  };
}

async function fieldsOf<Schema extends RecordSchema>(
  schema: Schema,
  given: JsonObject,
  place: Place,
  refusals: Refusals,
): Promise<Awaited<ReturnType<typeof readRecord<Schema['fields']>>>['given']> {
  const read = await readRecord<Schema['fields']>(schema as RecordSchema<Schema['fields']>, given);
  for (const { field, problem } of read.malformed) {
    // The usual problem says what came.
    const said = field === 'secret' ? 'is not a text' : problem;
    refusals.add(Object.hasOwn(given, field) ? `${place}/${field}` : place, `${field} ${said}`);
  }
  for (const name of Object.keys(given)) {
    const field = schema.fields[name];
    if (field !== undefined && !isSubmittedField(field))
      refusals.add(`${place}/${name}`, `${name} is set by the server; leave it out`);
  }
  return read.given;
}

function readOthers(given: unknown, place: Place, refusals: Refusals): ConfiguredClient['others'] {
  const expected = 'expected a list of objects, each with key, of a resource server, and a list of scopes';
  const isOther = (entry: unknown) =>
    isObject(entry) &&
    typeof entry.key === 'string' &&
    Array.isArray(entry.scopes) &&
    entry.scopes.every((scope) => typeof scope === 'string') &&
    Object.keys(entry).length === 2;
  if (Array.isArray(given)) {
    const wrong = given.findIndex((entry) => !isOther(entry));
    if (wrong === -1) return given as unknown as ConfiguredClient['others'];
    refusals.add(`${place}/${wrong}`, expected);
  } else refusals.add(place, expected);
  return [];
}
