import { resolve } from 'node:path';
import { pathProblem } from '@watchword/protocol';
import * as v from 'valibot';
import type { Kind } from './kinds.ts';
import { maskCredentials } from './mask.ts';
import { expected, expectedConfidential } from './messages.ts';

/** What a PostgreSQL URL is, in messages. */
export const urlForm = 'a URL such as postgres://user@host/name';

/** A PostgreSQL URL whose characters need no quotes anywhere. The dialect reads its parts. */
export function isPostgresqlUrl(value: string): boolean {
  return /^postgres(?:ql)?:\/\/[^\s"'`<>\\^{|}]+$/.test(value) && !/\p{Cc}/u.test(value);
}

/** What can be a URL is not shown, because a mistake in it can be at the password. */
function kindOfDatabase(
  what: string,
  base: Partial<Kind<string>>,
  isValid: (value: string) => boolean,
  adviceOn?: (value: string) => string | undefined,
): Kind<string> {
  const isUrl = (value: unknown) => typeof value === 'string' && /postgres|@/i.test(value);
  const schema = v.pipe(
    v.string(expected(what)),
    v.check(isValid, (issue) =>
      (isUrl(issue.input) ? expectedConfidential : expected)(what, adviceOn)(issue),
    ),
  );
  return { ...base, fromFile: schema, fromText: schema, shown: maskCredentials };
}

export const postgresqlUrl = kindOfDatabase(urlForm, { placeholder: 'url' }, isPostgresqlUrl);

/** What to do about the path of a SQLite database; `undefined` if it can be one. */
function fileProblem(value: string): string | undefined {
  const problem = pathProblem(value);
  if (problem !== undefined) return problem;
  if (value.startsWith(':')) return 'name a file, because SQLite would not store the data';
  if (value.endsWith('/')) return 'add the name of the file';
  return value.includes('://') ? 'write a path' : undefined;
}

/** A file of SQLite or a URL of PostgreSQL. */
export const fileOrUrl: Kind<string> = {
  ...kindOfDatabase(
    `the path of a file, or ${urlForm}`,
    { placeholder: 'path' },
    (value) =>
      isPostgresqlUrl(value) || (fileProblem(value) === undefined && !/^postgres(?:ql)?:/i.test(value)),
    // What begins like a URL of PostgreSQL is to be one.
    (value) => (/^postgres/i.test(value) ? undefined : fileProblem(value)),
  ),
  resolveFrom: (directory, value) => (isPostgresqlUrl(value) ? value : resolve(directory, value)),
};
