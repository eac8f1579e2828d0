/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A kind of JSON value: how it is described, and how it is read. */
export interface Kind<Value> {
  /** What is answered. */
  readonly schema: JsonSchema;
  /** What is taken, where that is more. */
  readonly inputSchema?: JsonSchema;
  /** In words, for whoever sent something else. */
  readonly expected: string;
  /** `undefined` when it is of another kind. */
  read(given: unknown): Value | undefined;
  /** Stands for a value that is absent or of another kind. */
  readonly empty: Value;
}

export function text(constraints: JsonSchema = {}): Kind<string> {
  return {
    schema: { type: 'string', ...constraints },
    expected: 'a text',
    read: (given) => (typeof given === 'string' ? given : undefined),
    empty: '',
  };
}

export function texts(constraints: JsonSchema = {}, ofEach: JsonSchema = {}): Kind<readonly string[]> {
  return {
    schema: { type: 'array', items: { type: 'string', ...ofEach }, ...constraints },
    expected: 'a list of texts',
    read: (given) => (isListOfTexts(given) ? given : undefined),
    empty: [],
  };
}

/** Some clients write numbers for truth. */
export const flag: Kind<boolean> = {
  schema: { type: 'boolean' },
  inputSchema: { anyOf: [{ type: 'boolean' }, { enum: [0, 1] }] },
  expected: 'true or false',
  read: (given) =>
    typeof given === 'boolean' ? given : given === 1 ? true : given === 0 ? false : undefined,
  empty: false,
};

export function wholeNumber(minimum: number, maximum: number): Kind<number> {
  return {
    schema: { type: 'integer', minimum, maximum },
    expected: `a whole number from ${minimum} to ${maximum}`,
    read: (given) =>
      typeof given === 'number' && Number.isSafeInteger(given) && given >= minimum && given <= maximum
        ? given
        : undefined,
    empty: minimum,
  };
}

/** Texts by name; in a change, `null` removes the name (RFC 7396). */
export function textMap(constraints: JsonSchema = {}): Kind<Readonly<Record<string, string>>> {
  return {
    schema: { type: 'object', additionalProperties: { type: 'string' }, ...constraints },
    expected: 'an object of texts',
    read: (given) =>
      isObject(given) && Object.values(given).every((value) => typeof value === 'string')
        ? (given as Record<string, string>)
        : undefined,
    empty: {},
  };
}

/** What is only ever answered. */
export function answered(schema: JsonSchema): Kind<undefined> {
  return { schema, expected: 'nothing', read: () => undefined, empty: undefined };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
