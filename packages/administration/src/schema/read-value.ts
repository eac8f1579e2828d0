import { isObject, type KeySet, type Kind, noKeys, type ValueOf } from '@watchword/protocol';
import * as v from 'valibot';

/** A value of the right kind, or the problem of the submitted value. */
type ReadValue<Value> = { readonly value: Value } | { readonly problem: string };

/** A merge patch of an object (RFC 7396 §2): `null` removes a member. */
export type MemberPatch = Readonly<Record<string, string | null>>;

/** The message of each schema completes "expected …". */
type ValueSchema = v.GenericSchema<unknown, ValueOf<Kind>>;

const schemas = new WeakMap<Kind, ValueSchema>();

/**
 * Reads a submitted value of a kind. Only the kind is checked here: the rules of the record check the value, so that
 * all callers get the same violations, over HTTP and at the command line.
 */
export function readValue(kind: Kind, given: unknown): ReadValue<ValueOf<Kind>> {
  const schema = schemas.get(kind) ?? schemaOf(kind);
  schemas.set(kind, schema);
  const result = v.safeParse(schema, given);
  if (result.success) return { value: result.output };
  return { problem: `expected ${result.issues[0].message}, got ${nameOf(given)}` };
}

const submittedScopes = 'a list of scopes, each a text or an object with name, description and descriptions';

/** The name alone keeps the description that the scope has. */
const scopeName = v.pipe(
  v.string(),
  v.transform((name) => ({ name })),
);

/** An object replaces the whole description. */
const describedScope = v.strictObject({
  name: v.string(),
  description: v.nullish(v.string(), ''),
  descriptions: v.nullish(v.custom<Readonly<Record<string, string>>>(isObjectOf(isText)), {}),
});

const resourceServerScopesExpected = 'a list of objects, each with resourceServerId and scopes';

const resourceServerScopes = v.strictObject(
  {
    resourceServerId: v.pipe(
      v.number(resourceServerScopesExpected),
      v.safeInteger(resourceServerScopesExpected),
      v.minValue(1, resourceServerScopesExpected),
    ),
    scopes: v.array(v.string(resourceServerScopesExpected), resourceServerScopesExpected),
  },
  resourceServerScopesExpected,
);

const assertionIssuersExpected =
  'a list of objects, each with issuer, audience, subject, and nothing else but jwks or jwksUri';

const assertionIssuer = v.strictObject(
  {
    issuer: v.string(assertionIssuersExpected),
    audience: v.string(assertionIssuersExpected),
    subject: v.string(assertionIssuersExpected),
    jwks: v.optional(v.custom<KeySet>(isKeySet, assertionIssuersExpected), noKeys),
    jwksUri: v.optional(v.string(assertionIssuersExpected), ''),
  },
  assertionIssuersExpected,
);

const memberPatch = v.custom<MemberPatch>(isObjectOf((value) => value === null || isText(value)));

/** Reads a merge patch of an object of texts. */
export function readMemberPatch(given: unknown): ReadValue<MemberPatch> {
  return v.is(memberPatch, given) ? { value: given } : { problem: 'expected an object of texts and nulls' };
}

function schemaOf(kind: Kind): ValueSchema {
  switch (kind.type) {
    case 'text':
    case 'choice':
      return v.string('a text');
    case 'flag': {
      // Some clients write numbers for booleans.
      const written = v.union([v.boolean(), v.picklist([0, 1])], 'true or false');
      return v.pipe(
        written,
        v.transform((value) => value === true || value === 1),
      );
    }
    case 'wholeNumber': {
      const { minimum, maximum = Number.MAX_SAFE_INTEGER } = kind;
      const expected = `a whole number from ${minimum} to ${maximum}`;
      return v.pipe(
        v.number(expected),
        v.safeInteger(expected),
        v.minValue(minimum, expected),
        v.maxValue(maximum, expected),
      );
    }
    case 'texts':
    case 'scopes':
      return v.array(v.string('a list of texts'), 'a list of texts');
    case 'scopeDescriptions':
      return v.array(v.union([scopeName, describedScope], submittedScopes), submittedScopes);
    case 'resourceServerScopes':
      return v.array(resourceServerScopes, resourceServerScopesExpected);
    case 'keySet':
      return v.custom<KeySet>(isKeySet, 'a JSON Web Key Set, which is an object with a list of keys');
    case 'assertionIssuers':
      return v.array(assertionIssuer, assertionIssuersExpected);
    case 'textMap':
      // Not `v.record`, which leaves out members with the names `constructor`, `prototype` and `__proto__`.
      return v.custom<Readonly<Record<string, string>>>(isObjectOf(isText), 'an object of texts');
  }
}

/** The rules say what is wrong with its keys. */
function isKeySet(given: unknown): boolean {
  return isObject(given) && Array.isArray(given.keys) && given.keys.every(isObject);
}

function isObjectOf(isMember: (value: unknown) => boolean): (given: unknown) => boolean {
  return (given) => isObject(given) && Object.values(given).every(isMember);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Names the kind of a value in words, and never a text itself. */
function nameOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list of something else';
  if (typeof value === 'object') return 'an object of something else';
  return typeof value === 'string' ? 'a text' : JSON.stringify(value).slice(0, 30);
}
