import {
  type ClientFunction,
  clientFunctions,
  type Declaration,
  type Paths,
  pascal,
} from './client-functions.ts';
import { comment, fit, list } from './format.ts';
import { type Schema, typeOf, wrapUnion } from './record-types.ts';

/** Where types and functions are that the functions use; those of records are all in `records.ts`. */
const modules: Readonly<Record<string, readonly string[]>> = {
  page: ['Page', 'PageQuery'],
  requests: ['CallOptions', 'ChangeOptions', 'conditional', 'Requests', 'requests', 'Versioned'],
  statistics: ['StatisticsClient', 'statisticsClient'],
  submitted: [
    ...['AccessTokenRequest', 'AuthenticatorChange', 'ClientChange', 'ForeignSigningKey', 'NewAccount'],
    'ClientSecretDetails',
    'NewInvitation',
    'NewInitialToken',
    ...['NewAuthenticator', 'NewClient', 'NewResourceServer', 'SigningKeyRetirement', 'SigningKeyRotation'],
    'SubmittedAccounts',
    'ConfigurationApplication',
    'SubmittedBranding',
    'SubmittedClientHost',
    'SubmittedResourceServer',
  ],
  transport: ['AdminClientOptions', 'createTransport'],
};

/**
 * TypeScript for the functions that an OpenAPI document describes, in the format of the linter.
 *
 * @param records TypeScript for its records
 */
export function functionTypes(paths: Paths, records: string): string {
  const functions = clientFunctions(paths);
  const groups = [...new Set(functions.flatMap(({ group }) => group || []))].toSorted();
  const of = (group: string) => functions.filter((each) => each.group === group);
  const text = [
    ...declarationsOf(functions),
    ...groups.map((group) => interfaceOf(group, of(group))),
    clientOf(groups, of('')),
    ...groups.map((group) => factoryOf(group, of(group))),
  ].join('\n\n');
  const names = [...records.matchAll(/export interface (\w+)/g)].map(([, name = '']) => name);
  return [
    '// Made from the OpenAPI description of the administration interface: npm run records -w packages/admin-client',
    importsOf(text, { ...modules, records: names }),
    `${text}\n`,
  ].join('\n\n');
}

function importsOf(text: string, from: typeof modules): string {
  const code = text.replaceAll(/\/\*\*[\s\S]*?\*\/|'[^']*'/g, '');
  const words = new Set(code.match(/\w+/g));
  const alphabet = new Intl.Collator('en', { caseFirst: 'upper' });
  return Object.entries(from)
    .map(([module, names]) => [module, names.filter((name) => words.has(name))] as const)
    .toSorted(([one], [other]) => alphabet.compare(one, other))
    .map(([module, names]) => {
      const areTypes = names.every(isType);
      const named = names
        .toSorted(alphabet.compare)
        .map((name) => (areTypes || !isType(name) ? name : `type ${name}`));
      return list(`import ${areTypes ? 'type ' : ''}{`, named, `} from './${module}.ts';`, '');
    })
    .join('\n');
}

const isType = (name: string) => /^[A-Z]/.test(name);

function declarationsOf(functions: readonly ClientFunction[]): Iterable<string> {
  const texts = new Map<string, string>();
  for (const declaration of functions.flatMap(({ given }) =>
    given.flatMap(({ declares }) => declares ?? []),
  )) {
    const { name } = declaration;
    const text = declarationOf(declaration);
    if ((texts.get(name) ?? text) !== text)
      throw new Error(`${name}: expected one type, got two different ones`);
    texts.set(name, text);
  }
  return texts.values();
}

function declarationOf({ name, base, text, members }: Declaration): string {
  return [
    ...comment(text, ''),
    `export interface ${name}${base === undefined ? '' : ` extends ${base}`} {`,
    ...members.flatMap(({ name: member, required = false, description, schema }) => {
      const line = `  readonly ${member}${required ? '' : '?'}: ${typeOf(schema, '  ')}${required ? '' : ' | undefined'};`;
      return [...comment(description && `${description}${rangeOf(schema)}`, '  '), ...wrapUnion(line, '  ')];
    }),
    '}',
  ].join('\n');
}

function rangeOf({ minimum, maximum, default: usual }: Schema): string {
  if (maximum === undefined) return '';
  return ` From ${minimum} to ${maximum}${usual === undefined ? '' : `, by default ${usual}`}.`;
}

function interfaceOf(group: string, functions: readonly ClientFunction[]): string {
  return [`export interface ${pascal(group)}Client {`, ...functions.flatMap(signatureOf), '}'].join('\n');
}

function signatureOf({ name, text, given, returns }: ClientFunction): string[] {
  const typed = given.flatMap((each) => each.typed || []);
  return [...comment(text, '  '), list(`  ${name}(`, typed, `): Promise<${returns}>;`, '  ')];
}

function clientOf(groups: readonly string[], functions: readonly ClientFunction[]): string {
  return [
    '/** All endpoints of the administration interface. Each call rejects with `AdminError` for an answer that is not a success. */',
    'export interface AdminClient {',
    ...groups.map((group) => `  readonly ${group}: ${pascal(group)}Client;`),
    '  /** Tokens and resource owners of each client, issued tokens by hour, requests with errors. */',
    '  readonly statistics: StatisticsClient;',
    ...functions.flatMap(signatureOf),
    '}',
    '',
    'export function createAdminClient(options: AdminClientOptions): AdminClient {',
    '  const deps = requests(createTransport(options));',
    `  const { ${readersOf(functions).join(', ')} } = deps;`,
    '  return {',
    ...groups.map((group) => `    ${group}: ${group}Client(deps),`),
    '    statistics: statisticsClient(deps),',
    ...functions.map(codeOf),
    '  };',
    '}',
  ].join('\n');
}

function factoryOf(group: string, functions: readonly ClientFunction[]): string {
  const head = list(
    `function ${group}Client({`,
    readersOf(functions),
    `}: Requests): ${pascal(group)}Client {`,
    '',
  );
  return [head, '  return {', ...functions.map(codeOf), '  };', '}'].join('\n');
}

function readersOf(functions: readonly ClientFunction[]): string[] {
  return [...new Set(['endpoint', ...functions.map(({ reader }) => reader)])];
}

function codeOf({ name, route, given, reader }: ClientFunction): string {
  const sent = given.flatMap((each) => each.sent);
  const head = list(
    `    ${name}: async (`,
    given.flatMap((each) => each.taken || []),
    ') =>',
    '    ',
  );
  const request = (indent: string) =>
    sent.length === 0
      ? `${indent}endpoint('${route}')`
      : list(`${indent}endpoint('${route}', {`, sent, '})', indent);
  const call = fit(`      ${reader}(${request('').trimStart()}, options),`, () =>
    [`      ${reader}(`, `${request('        ')},`, '        options,', '      ),'].join('\n'));
  return fit(`${head} ${call.trimStart()}`, () => `${head}\n${call}`);
}
