import { type KeySet, readKeySet, type usualName } from '@watchword/proofs';
import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { redirectUriProblems, redirectUrisKind } from '../../model/fields/redirect-uris.ts';
import { isObject, type JsonObject } from '../../model/json-object.ts';
import { isLoopbackHost } from '../../model/redirect-uri.ts';

// Texts in a list other than that of redirect URIs.
const maxTexts = 100;
// Of redirect URIs: as many as users can read in a name.
const maxHosts = 4;

/** Reads members, and collects what is wrong with them, so that all is reported at once. */
export class MetadataReader {
  readonly #document: JsonObject;
  readonly #problems: string[] = [];

  constructor(document: JsonObject) {
    this.#document = document;
  }

  /** @throws OAuthError `invalid_redirect_uri` */
  redirectUris(): readonly string[] {
    const name = 'redirect_uris';
    const uris = this.#read(name, isTexts) ?? [];
    const wrong =
      uris.length === 0 ? ['must be a list of texts, with one at least'] : [...redirectUriProblems(uris)];
    if (wrong.length === 0 && hostsOf(uris).length > maxHosts)
      wrong.push(`lead to more than ${maxHosts} hosts; register a client for each application`);
    const problems = wrong.map((problem) => `${name}: ${problem}`);
    if (problems.length === 0) return [...new Set(uris)];
    const why = because('registered_redirect_uris', { problems });
    throw new OAuthError('invalid_redirect_uri', { ...why, violations: problems });
  }

  uris(name: string, problemsOf = redirectUriProblems): readonly string[] {
    const uris = this.texts(name, redirectUrisKind.maxItems) ?? [];
    for (const problem of problemsOf(uris)) this.#add(name, problem);
    return [...new Set(uris)];
  }

  keySet(name: string): KeySet | undefined {
    const value = this.#read(name, isObject);
    if (value === undefined) return this.#wrong(name, 'must be a JSON Web Key Set');
    const read = readKeySet(value);
    if (!('problem' in read)) return read;
    this.#add(name, read.problem);
    return undefined;
  }

  text(name: string): string | undefined {
    const value = this.#read(name, isText);
    return value === undefined ? this.#wrong(name, 'must be a text') : value;
  }

  flag(name: string): boolean | undefined {
    const value = this.#read(name, (value) => typeof value === 'boolean');
    return value === undefined ? this.#wrong(name, 'must be true or false') : value;
  }

  texts(name: string, most = maxTexts): readonly string[] | undefined {
    const value = this.#read(name, isTexts);
    if (value !== undefined && value.length > most) return this.#wrong(name, `has more than ${most} members`);
    return value === undefined ? this.#wrong(name, 'must be a list of texts') : value;
  }

  choice<Value extends string>(
    name: string,
    values: readonly Value[],
    usual: typeof usualName = String,
  ): Value | undefined {
    const value = this.#read(name, isText);
    const found = values.find((each) => each === usual(value ?? ''));
    return found ?? this.#wrong(name, `must be one of ${values.join(', ')}`);
  }

  /** What the server cannot do without is never added: the client would rely on something else. */
  needs(name: string, values: readonly string[], needed: string): void {
    if (!values.includes(needed)) this.#add(name, `must have ${needed}, which is what this server registers`);
  }

  /** @throws OAuthError `invalid_client_metadata` */
  throwIfAny(): void {
    if (this.#problems.length > 0) throw unusableMetadata(this.#problems);
  }

  #read<Value>(name: string, isOfType: (value: unknown) => value is Value): Value | undefined {
    const value = Object.hasOwn(this.#document, name) ? this.#document[name] : undefined;
    return isOfType(value) ? value : undefined;
  }

  /** A member that is there, and cannot be read. */
  #wrong(name: string, problem: string): undefined {
    if (Object.hasOwn(this.#document, name) && this.#document[name] !== null) this.#add(name, problem);
  }

  #add(name: string, problem: string): void {
    this.#problems.push(`${name}: ${problem}`);
  }
}

/** @param problems each is the name of a member with what is wrong with it */
export function unusableMetadata(problems: readonly string[]): OAuthError {
  const why = because('registered_metadata', { problems });
  return new OAuthError('invalid_client_metadata', { ...why, violations: problems });
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(isText);
}

/** Where the redirect URIs lead, all of them: otherwise the first could lend its name to another one. Hosts, and private-use schemes of applications. */
export function hostsOf(redirectUris: readonly string[]): readonly string[] {
  const hosts = redirectUris.map((uri) => {
    const { protocol, hostname, host } = new URL(uri);
    if (!/^https?:$/.test(protocol)) return protocol.slice(0, -1);
    return isLoopbackHost(hostname) ? hostname : host;
  });
  return [...new Set(hosts)];
}
