import assert from 'node:assert/strict';
import { type Schema, typeOf } from './record-types.ts';

/** An operation of the OpenAPI document. */
interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly headers?: object }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** A function of the client. */
export interface ClientFunction {
  /** `''` for a function of the client itself. */
  readonly group: string;
  readonly name: string;
  readonly text: string;
  readonly route: string;
  readonly given: readonly Argument[];
  readonly returns: string;
  /** Member of `Requests` that reads the answer. */
  readonly reader: string;
}

interface Argument {
  /** As the signature has it. */
  readonly typed: string;
  /** As the function takes it. */
  readonly taken: string;
  /** Its members of the parameters of the request. */
  readonly sent: readonly string[];
  /** The type that it needs. */
  readonly declares?: Declaration;
}

export interface Declaration {
  readonly name: string;
  readonly text?: string;
  readonly base?: string;
  readonly members: readonly Parameter[];
}

/** Other methods for the same, which the client does not use, and what `statistics.ts` reads. */
const left = [
  'putResourceServerIntoList',
  'postResourceServer',
  'putClientIntoList',
  'postClient',
  'replaceAccessToken',
  'replaceAccount',
  'getStatistics',
];

/** Functions that the rule of `nameOf` would name in another way. */
const names: Readonly<Record<string, string>> = {
  getPrincipal: '.principal',
  getRegistration: '.registration',
  getClientStatistics: 'clients.statistics',
  getFactorStatistics: 'factors.statistics',
  importAccounts: 'accounts.import',
  lintRecords: 'profiles.lint',
  revokeIssuedTokens: 'accessTokens.revokeIssued',
  endGrants: 'grants.endAll',
  endDescribedClients: 'describedClients.endAll',
  revokeIdentityProvider: 'identityProviders.end',
  startTestLogin: 'authenticators.tryLogin',
  readTestLogin: 'authenticators.testLogin',
  summarizeRequestErrors: 'requestErrors.summary',
  listAuditEvents: 'auditEvents.list',
};

/** Names of types of bodies. The type of any other body is written out. */
const submitted: Readonly<Record<string, string>> = {
  createResourceServer: 'NewResourceServer',
  changeResourceServer: 'Partial<SubmittedResourceServer>',
  replaceResourceServer: 'SubmittedResourceServer',
  createClient: 'NewClient',
  changeClient: 'Partial<ClientChange>',
  addClientSecret: 'ClientSecretDetails',
  changeClientSecret: 'Partial<ClientSecretDetails>',
  replaceClient: 'ClientFields',
  createAccessToken: 'AccessTokenRequest',
  changeAccessToken: 'Partial<AccessTokenFields>',
  createAccount: 'NewAccount',
  importAccounts: 'SubmittedAccounts',
  changeAccount: 'Partial<AccountFields>',
  createInvitation: 'NewInvitation',
  createAuthenticator: 'NewAuthenticator',
  changeAuthenticator: 'AuthenticatorChange',
  revokeResourceOwner: 'ResourceOwner',
  importSigningKey: 'ForeignSigningKey',
  rotateSigningKeys: 'SigningKeyRotation',
  retireSigningKey: 'SigningKeyRetirement',
  replaceClientHost: 'SubmittedClientHost',
  createInitialToken: 'NewInitialToken',
  replaceBranding: 'SubmittedBranding',
  previewBranding: 'SubmittedBranding',
  planConfiguration: 'ConfigurationApplication',
  applyConfiguration: 'ConfigurationApplication',
};

/** A second function asks for the other form of these records. */
const described = ['listResourceServers', 'getResourceServer', 'replaceResourceServer'];
const formParameter = 'scopes';

export function clientFunctions(paths: Paths): ClientFunction[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { operationId }]) => !left.includes(operationId))
      .flatMap(([method, operation]) => functionsOf(method.toUpperCase(), path, operation)),
  );
}

function functionsOf(method: string, path: string, operation: Operation): ClientFunction[] {
  const [group = '', name = ''] = nameOf(operation).split('.');
  const { parameters = [] } = operation;
  const ids = parameters.filter(isIn('path'));
  const query = parameters.filter(isIn('query')).filter((each) => each.name !== formParameter);
  const record = recordOf(group);
  const address = ids.length > 1 ? [addressOf(ids, record)] : ids.map(positional);
  const rest = [...queryOf(method, operation, query, record), ...bodyOf(operation), optionsOf(operation)];
  const plain: ClientFunction = {
    ...{ group, name, text: textOf(operation) },
    route: routeOf(method, path, query),
    given: [...address, ...rest],
    ...answerOf(operation, 0),
  };
  if (!described.includes(operation.operationId)) return [plain];
  const form = parameters.filter(({ name: each }) => each === formParameter);
  const inWords = form.map(({ description = '' }) => ` ${description.replace(/^\w+: e/, 'E')}`);
  const text = `${plain.text}${inWords.join('')}`;
  const asked = { typed: '', taken: '', sent: [`${formParameter}: 'described'`] };
  const route = routeOf(method, path, [...query, ...form]);
  const given = [...address, asked, ...rest];
  return [plain, { ...plain, name: `${name}Described`, text, route, given, ...answerOf(operation, 1) }];
}

const isIn = (place: string) => (parameter: Parameter) => parameter.in === place;

/** Parameters of other methods than GET would be members of the body. */
function routeOf(method: string, path: string, query: readonly Parameter[]): string {
  const names = query.map(({ name }) => name);
  return `${method} ${path}${method === 'GET' || names.length === 0 ? '' : `{?${names.join(',')}}`}`;
}

/** `rotateClientSecret` of the tag `Clients` is `clients.rotateSecret`, and `changeClient` is `clients.update`. */
function nameOf({ operationId, tags: [tag = ''] }: Operation): string {
  const group = tag.toLowerCase().replace(/ (\w)/g, (_, letter: string) => letter.toUpperCase());
  const record = recordOf(group);
  const verb = operationId.replace(new RegExp(`${pascal(group)}|${record}`), '');
  return names[operationId] ?? `${group}.${verb === 'change' ? 'update' : verb}`;
}

export function pascal(group: string): string {
  return `${group.charAt(0).toUpperCase()}${group.slice(1)}`;
}

/** `LogoutDelivery` of `logoutDeliveries`. */
function recordOf(group: string): string {
  return pascal(group).replace(/ies$|s$/, (end) => (end === 'ies' ? 'y' : ''));
}

/** What a caller of the client cannot see is left out. */
function textOf({ summary, description = '' }: Operation): string {
  const sentences = description
    .split(/(?<=\.) /)
    .filter((each) => !/\bLink header|\bX-Total-Count/.test(each));
  return [`${summary}.`, ...sentences].join(' ').trim();
}

function positional({ name, required, schema }: Parameter): Argument {
  return { typed: `${name}${required ? '' : '?'}: ${typeOf(schema, '')}`, taken: name, sent: [name] };
}

const addressed: Readonly<Record<string, string>> = {
  Client: 'A Client by its record id, below its resource server.',
  ClientSecret: 'A secret of a client, by its id, below the client.',
  OtherClient:
    'A client of another resource server, by its record id, below the resource server that it can use.',
  AccountLink: 'A link of an account, by the id of the account.',
};

function addressOf(members: readonly Parameter[], ofGroup: string): Argument {
  // The secrets of a client are below its address.
  const record = ofGroup === 'ClientSecret' && members.length === 2 ? 'Client' : ofGroup;
  const name = `${record}Address`;
  const text = addressed[record] ?? assert.fail(`what addresses a ${record}?`);
  return {
    typed: `address: ${name}`,
    taken: 'address',
    sent: ['...address'],
    declares: { name, text, members },
  };
}

/** The filters of a list or of a summary, or what selects the records that a change concerns. */
function queryOf(
  method: string,
  operation: Operation,
  query: readonly Parameter[],
  record: string,
): Argument[] {
  if (query.length === 0) return [];
  if (query.length === 1 && operation.parameters?.some(isIn('path'))) return query.map(positional);
  const sent = query.map(({ name }) => name);
  const isPaged = sent.includes('cursor');
  const members = query.filter(({ name }) => !['limit', 'cursor'].includes(name));
  const taken = `{ ${sent.join(', ')} }`;
  if (method !== 'GET') {
    const name = `${record}Selection`;
    const text = 'What is selected: that to which everything fits that is given.';
    return [{ typed: `selection: ${name}`, taken, sent, declares: { name, text, members } }];
  }
  if (isPaged && members.length === 0) return [{ typed: 'query?: PageQuery', taken: `${taken} = {}`, sent }];
  const name = isPaged ? `${record}Query` : `${answerOf(operation, 0).returns}Query`;
  return [
    {
      typed: `query?: ${name}`,
      taken: `${taken} = {}`,
      sent,
      declares: { name, ...(isPaged && { base: 'PageQuery' }), members },
    },
  ];
}

/** A single text stands alone. Where all members are required, no other is sent, such as those of a person with more. */
function bodyOf({ operationId, requestBody }: Operation): Argument[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined || !requestBody?.required) return [];
  const { properties = {}, required = [] } = schema;
  const sent = Object.keys(properties);
  const [only] = Object.entries(properties);
  if (only !== undefined && sent.length === 1) {
    return [positional({ name: only[0], in: 'body', required: true, schema: only[1] })];
  }
  const type = submitted[operationId] ?? typeOf(schema, '  ');
  const typed = `fields: ${type}`;
  const isWhole = required.length === sent.length;
  return [
    isWhole
      ? { typed, taken: `{ ${sent.join(', ')} }`, sent }
      : { typed, taken: 'fields', sent: ['data: fields'] },
  ];
}

/** A body that can be left out consists of options. */
function optionsOf({ parameters = [], requestBody }: Operation): Argument {
  if (parameters.some(({ name }) => name === 'If-Match')) {
    return {
      typed: 'options?: ChangeOptions',
      taken: 'options = {}',
      sent: ['headers: conditional(options)'],
    };
  }
  if (requestBody === undefined || requestBody.required) {
    return { typed: 'options?: CallOptions', taken: 'options', sent: [] };
  }
  const { properties = {} } = requestBody.content['application/json']?.schema ?? {};
  const sent = Object.keys(properties);
  const members = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: 'body', schema },
    ...(description !== undefined && { description }),
  }));
  return {
    typed: 'options?: RotationOptions',
    taken: `{ ${sent.join(', ')}, ...options } = {}`,
    sent,
    declares: { name: 'RotationOptions', base: 'CallOptions', members },
  };
}

/** A record comes with its version, unless it has something that no later answer has. */
function answerOf({ responses }: Operation, form: 0 | 1): Pick<ClientFunction, 'returns' | 'reader'> {
  const [, { content, headers = {} } = {}] =
    Object.entries(responses).find(([status]) => status < '300') ?? [];
  const schema = content?.['application/json']?.schema;
  if (schema === undefined) return { returns: 'void', reader: 'nothing' };
  const { items = schema } = schema;
  const type = typeOf(items.anyOf?.[form] ?? items, '  ');
  if (Object.hasOwn(headers, 'Link')) return { returns: `Page<${type}>`, reader: 'page' };
  const isVersioned = Object.hasOwn(headers, 'ETag') && !type.includes('With');
  return isVersioned
    ? { returns: `Versioned<${type}>`, reader: 'versioned' }
    : { returns: type, reader: 'json' };
}
