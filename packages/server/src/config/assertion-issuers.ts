import { resolve } from 'node:path';
import * as v from 'valibot';
import { isHttpsUrl } from './checks.ts';
import {
  json,
  type Kind,
  noOtherField,
  objectSchema,
  path,
  registrationRight,
  type Schema,
  textSchema,
} from './kinds.ts';
import { expected, expectedConfidential } from './messages.ts';

const maxIssuers = 50;
const file = path('the path of a file').fromFile;

const entries = {
  issuer: textSchema('the iss of its tokens, or spiffe:// and a trust domain', (value) =>
    /^\S{1,2000}$/.test(value),
  ),
  jwksFile: v.optional(file),
  jwksUri: v.optional(textSchema('an https URL', isHttpsUrl)),
  caFile: v.optional(file),
  tokenFile: v.optional(file),
  usableBy: v.optional(registrationRight.fromFile, 'administrators'),
};

const fields = Object.keys(entries);

const entry = v.pipe(
  objectSchema(`an object with ${fields.join(', ')}`),
  v.intersect([
    noOtherField('an issuer', fields),
    v.object(entries, expected('issuer, and jwksFile or jwksUri')),
  ]),
  v.check(
    ({ jwksFile, jwksUri }) => (jwksFile === undefined) !== (jwksUri === undefined),
    'expected jwksFile or jwksUri, and not both',
  ),
  v.check(
    ({ jwksUri, caFile, tokenFile }) => jwksUri !== undefined || (caFile ?? tokenFile) === undefined,
    'has caFile or tokenFile, which are for jwksUri; leave them out beside jwksFile',
  ),
);

/** An issuer whose keys the operator has, and where they are. */
export type AssertionIssuerSetting = v.InferOutput<typeof entry>;

const list: Schema<readonly AssertionIssuerSetting[]> = v.pipe(
  v.array(entry, expectedConfidential('a list of issuers')),
  v.maxLength(maxIssuers, `has more than ${maxIssuers} issuers`),
  v.check(
    (issuers) => new Set(issuers.map(({ issuer }) => issuer)).size === issuers.length,
    'has the same issuer twice; the keys of an issuer are in one place',
  ),
);

/** A list of issuers. As text it is JSON. */
export const assertionIssuerList: Kind<readonly AssertionIssuerSetting[]> = {
  fromFile: list,
  fromText: json('a list of issuers', list),
  resolveFrom: (directory, issuers) =>
    issuers.map((issuer) => ({
      ...issuer,
      ...Object.fromEntries(filesOf(issuer).map(([name, file]) => [name, resolve(directory, file)])),
    })),
};

/** The members of a setting that name files. */
export function filesOf(issuer: AssertionIssuerSetting) {
  return (['jwksFile', 'caFile', 'tokenFile'] as const).flatMap((name) => {
    const file = issuer[name];
    return file === undefined ? [] : [[name, file] as const];
  });
}
