import type { Client } from '@watchword/admin-client';
import { t } from '../texts/texts.ts';
import type { Snippet } from './snippet.ts';

export const discoveryPath = '/.well-known/openid-configuration';

/** A client that logs users in, and the addresses that its programs need. */
export interface Application {
  /** The issuer identifier of the server, which is its base URL. */
  readonly issuer: string;
  readonly clientId: string;
  /** The first registered one. */
  readonly redirectUri: string;
  /** The scopes to ask for, with `openid`. */
  readonly scopes: readonly string[];
  readonly client: Client;
}

/** A product or framework that logs users in: its label is its name, which no language translates. */
export interface Framework {
  readonly label: string;
  /** The path to which users return, if it chooses that itself. */
  readonly path?: string;
  /** Whether it is a program that runs in the browser, and has no secret. */
  readonly isPublic?: boolean;
  /** How it sends the secret, if not by HTTP Basic. */
  readonly method?: Client['tokenEndpointAuthMethod'];
  texts(application: Application): readonly string[];
}

/** The snippet of each framework for the client: first those whose redirect URI it has. */
export function frameworkSnippets(
  frameworks: readonly Framework[],
  application: Application,
): readonly Snippet[] {
  const { client, issuer, clientId, redirectUri, scopes } = application;
  // Files of settings have no common way to quote, so that a name from an import could become a setting.
  if (![issuer, clientId, redirectUri, ...scopes].every(isPlain) || !/^https?:/.test(redirectUri)) return [];
  const all = frameworks
    .filter(({ isPublic = false }) => isPublic !== client.confidential)
    .filter(({ method }) => mayUse(client, method))
    .map((framework) => ({ framework, uri: returnAddress(framework, client) }))
    .map(({ framework, uri }) => ({ framework, uri, isRegistered: client.redirectUris.includes(uri) }));
  return all
    .toSorted((a, b) => fit(b) - fit(a))
    .map(({ framework, uri, isRegistered }) => {
      const [text = '', ...others] = framework.texts({ ...application, redirectUri: uri });
      const lead = t(isRegistered ? 'snippet.returns' : 'snippet.notRegistered', { uri });
      return { label: framework.label, lead, text, others };
    });
}

function mayUse(
  { confidential, tokenEndpointAuthMethod: registered }: Client,
  method: Framework['method'] = 'client_secret_basic',
): boolean {
  return !confidential || registered === '' || registered === method;
}

/** A product whose own path is registered is surely the one that is set up. */
function fit({ framework, isRegistered }: { readonly framework: Framework; readonly isRegistered: boolean }) {
  return Number(isRegistered && framework.path !== undefined);
}

function returnAddress({ path }: Framework, { redirectUris }: Client): string {
  const [first = ''] = redirectUris;
  if (path === undefined) return first;
  return redirectUris.find((uri) => uri.endsWith(path)) ?? `${originOf(first)}${path}`;
}

export function originOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).origin : '';
}

export function pathOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).pathname : '/callback';
}

/** On which the program listens that answers the address. */
export function portOf(uri: string): string {
  return (URL.canParse(uri) && new URL(uri).port) || '3000';
}

export function isInsecure(uri: string): boolean {
  return uri.startsWith('http:');
}

/** Text that means itself in every format of settings and every language. */
function isPlain(text: string): boolean {
  return /^\w[\w:/.@?=&%~+-]*$/.test(text);
}
