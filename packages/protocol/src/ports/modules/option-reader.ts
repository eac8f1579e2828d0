import { withHidden } from '../../model/hidden-characters.ts';
import { isObject, type JsonObject } from '../../model/json-object.ts';
import type { ModuleOptionProblem } from './module-options-error.ts';

/** Reads options by their types. It collects every problem, so that the operator sees all of them at once. */
export class OptionReader {
  readonly #fields: JsonObject;
  readonly #path: string;
  readonly #problems: ModuleOptionProblem[];
  readonly #read = new Set<string>();

  constructor(fields: JsonObject, path: string, problems: ModuleOptionProblem[]) {
    this.#fields = fields;
    this.#path = path;
    this.#problems = problems;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  problem(name: string, problem: string): undefined {
    this.#problems.push({ option: name === '' ? this.#path : this.#pathOf(name), problem });
    return undefined;
  }

  text(name: string): string | undefined {
    return this.#kind(name, 'a text', (value) =>
      typeof value === 'string' && value.trim() !== '' ? value : undefined,
    );
  }

  /** One of the allowed texts. */
  choice<const Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice {
    return (
      this.#kind(name, `one of ${choices.join(', ')}`, (value) =>
        choices.find((choice) => choice === value),
      ) ?? fallback
    );
  }

  truth(name: string, fallback: boolean): boolean {
    const isTrue = (value: unknown) => (typeof value === 'boolean' ? value : undefined);
    return this.#kind(name, 'true or false', isTrue) ?? fallback;
  }

  /** Whether something holds for everything, or the texts for which it does. */
  truthOrTexts(name: string): boolean | readonly string[] {
    const isTexts = (value: unknown) =>
      Array.isArray(value) && value.every((each) => typeof each === 'string');
    const read = (value: unknown) =>
      typeof value === 'boolean' || isTexts(value) ? (value as boolean | readonly string[]) : undefined;
    return this.#kind(name, 'true, false or a list of hosts', read) ?? false;
  }

  number(name: string, min: number, max: number, fallback: number): number {
    const read = (value: unknown) =>
      Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max ? Number(value) : undefined;
    return this.#kind(name, `a whole number from ${min} to ${max}`, read) ?? fallback;
  }

  /** Any number of texts; a single text does not need a list. */
  texts(name: string, fallback: readonly string[] = []): readonly string[] {
    const read = (value: unknown) => {
      const values = Array.isArray(value) ? value : [value];
      return values.every((each) => typeof each === 'string' && each.trim() !== '') ? values : undefined;
    };
    return this.#kind(name, 'a text or a list of texts', read) ?? fallback;
  }

  url(name: string): string | undefined {
    return this.#kind(name, 'an http(s) URL', (value) =>
      typeof value === 'string' && /^https?:\/\//.test(value) && URL.canParse(value) ? value : undefined,
    );
  }

  /** An object of texts. */
  textsByName(name: string): Readonly<Record<string, string>> {
    const read = (value: unknown) =>
      isObject(value) && Object.values(value).every((each) => typeof each === 'string')
        ? (value as Record<string, string>)
        : undefined;
    return this.#kind(name, 'an object of texts', read) ?? {};
  }

  object(name: string): OptionReader | undefined {
    const fields = this.#kind(name, 'an object', (value) => (isObject(value) ? value : undefined));
    return fields && new OptionReader(fields, this.#pathOf(name), this.#problems);
  }

  objects(name: string): readonly OptionReader[] {
    const read = (value: unknown) => (Array.isArray(value) && value.every(isObject) ? value : undefined);
    const list: readonly JsonObject[] = this.#kind(name, 'a list of objects', read) ?? [];
    return list.map(
      (fields, index) => new OptionReader(fields, `${this.#pathOf(name)}[${index}]`, this.#problems),
    );
  }

  /** An object of any content. */
  anything(name: string): JsonObject {
    return this.#kind(name, 'an object', (value) => (isObject(value) ? value : undefined)) ?? {};
  }

  /** Reports every option that was not read as unknown. Call it after the last option was read. */
  rejectUnknown(): void {
    for (const name of Object.keys(this.#fields)) {
      if (!this.#read.has(name))
        this.problem(
          name,
          `${withHidden('is not an option', name)}; expected one of ${[...this.#read].sort().join(', ')}`,
        );
    }
  }

  #kind<Value>(
    name: string,
    expected: string,
    read: (value: unknown) => Value | undefined,
  ): Value | undefined {
    const given = this.#value(name);
    if (given === undefined || given === null) return undefined;
    const value = read(given);
    // The message does not repeat the value, which can be a key in the wrong option: only characters in it that nobody sees.
    return (
      value ??
      this.problem(
        name,
        `expected ${expected}, got ${typeof given === 'string' ? withHidden(kindOf(given), given) : kindOf(given)}`,
      )
    );
  }

  #value(name: string): unknown {
    this.#read.add(name);
    return Object.hasOwn(this.#fields, name) ? this.#fields[name] : undefined;
  }

  #pathOf(name: string): string {
    return this.#path === '' ? name : `${this.#path}.${name}`;
  }
}

function kindOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return value === '' ? 'an empty text' : 'another text';
  return Array.isArray(value) ? 'a list' : 'an object';
}
