import {
  type AssertionIssuer,
  type ClientFields,
  clientDefaults,
  type KeySet,
} from '@watchword/admin-client';

/** A client as a form has it: texts that are being typed stand as they are. */
export type TypedClient = { readonly [Name in keyof ClientFields]: Typed<Name, ClientFields[Name]> };

/** Lists whose members are chosen and not typed. */
const chosenLists: ReadonlySet<string> = new Set<ChosenList>([
  'scopes',
  'otherResourceServers',
  'openidScopes',
]);
type ChosenList = 'scopes' | 'otherResourceServers' | 'openidScopes';

/**
 * A number is the text of its digits, `''` while there is nothing. A list is a text with a member on each line, but
 * scopes are chosen. Keys and issuers are a text. Another object is rows: while they are typed, several can have one name, or none.
 */
type Typed<Name, Value> = Value extends number
  ? string
  : Value extends readonly string[]
    ? Name extends ChosenList
      ? Value
      : string
    : Value extends KeySet | readonly AssertionIssuer[]
      ? string
      : Value extends Readonly<Record<string, string>>
        ? readonly Attribute[]
        : Value;

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

const names = Object.keys(clientDefaults) as (keyof ClientFields)[];

export function typedClient(client: ClientFields): TypedClient {
  return Object.fromEntries(names.map((name) => [name, typed(name, client[name])])) as unknown as TypedClient;
}

function typed(name: keyof ClientFields, value: ClientFields[keyof ClientFields]): unknown {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || chosenLists.has(name)) return value;
  if (name === 'assertionIssuers') return issuersAsText(value as readonly AssertionIssuer[]);
  if (Array.isArray(value)) return value.join('\n');
  if (name === 'jwks') return keysAsText(value as KeySet);
  return Object.entries(value).map(([attribute, text]) => ({ name: attribute, value: text }));
}

/** What is submitted; to be asked for once the rules find nothing wrong. */
export function clientFields(client: TypedClient): ClientFields {
  return Object.fromEntries(
    names.map((name) => [name, submitted(name, client[name])]),
  ) as unknown as ClientFields;
}

/** The kind of a field is that of its default. */
function submitted(name: keyof ClientFields, value: TypedClient[keyof TypedClient]): unknown {
  const usual = clientDefaults[name];
  if (typeof usual === 'number') return value === '' ? Number.NaN : Number(value);
  if (typeof usual !== 'object' || chosenLists.has(name)) return value;
  if (name === 'assertionIssuers') return issuersOfText(value as string);
  if (Array.isArray(usual)) return linesOf(value as string);
  if (name === 'jwks') return keysOfText(value as string);
  const rows = filledIn(value as readonly Attribute[]);
  return Object.fromEntries(rows.map((row) => [row.name, row.value]));
}

function keysAsText(keySet: KeySet): string {
  return keySet.keys.length === 0 ? '' : JSON.stringify(keySet, undefined, 2);
}

function issuersAsText(issuers: readonly AssertionIssuer[]): string {
  return issuers.length === 0 ? '' : JSON.stringify(issuers, undefined, 2);
}

/** `undefined` for a text that is no list of issuers. */
export function issuersOfText(text: string): readonly AssertionIssuer[] | undefined {
  if (text.trim() === '') return clientDefaults.assertionIssuers;
  const value = jsonOf(text);
  return Array.isArray(value) ? value : undefined;
}

function jsonOf(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `undefined` for a text that is no set of keys. A key alone is a set of one. */
export function keysOfText(text: string): KeySet | undefined {
  if (text.trim() === '') return clientDefaults.jwks;
  const value = jsonOf(text);
  if (Array.isArray(value?.keys)) return value;
  return typeof value?.kty === 'string' ? { keys: [value] } : undefined;
}

/** Without rows in which nothing was typed. */
export function filledIn(attributes: readonly Attribute[]): readonly Attribute[] {
  return attributes.filter(({ name, value }) => name !== '' || value !== '');
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
