import * as v from 'valibot';
import { kindOf } from '../schemas.ts';
import { isFilePath } from './checks.ts';
import { type Kind, path, text } from './kinds.ts';
import { maskCredentials } from './mask.ts';
import { expected } from './messages.ts';

/** What a PostgreSQL URL is, in messages. */
export const urlForm = 'a URL such as postgres://user@host/name';

/** A PostgreSQL URL whose characters need no quotes anywhere. The dialect reads its parts. */
export function isPostgresqlUrl(value: string): boolean {
  return /^postgres(?:ql)?:\/\/[^\s"'`<>\\^{|}]+$/.test(value) && !/\p{Cc}/u.test(value);
}

/** What can be a URL is not shown, because a mistake in it can be at the password. */
function kindOfDatabase(what: string, base: Kind<string>, isValid: (value: string) => boolean): Kind<string> {
  const message = expected(what);
  const isUrl = (value: unknown) => typeof value === 'string' && /postgres|@/i.test(value);
  const schema = v.pipe(
    v.string(message),
    v.check(isValid, (issue) =>
      isUrl(issue.input) ? `expected ${what}, got ${kindOf(issue.input)}` : message(issue),
    ),
  );
  return { ...base, fromFile: schema, fromText: schema, shown: maskCredentials };
}

export const postgresqlUrl = kindOfDatabase(
  urlForm,
  { ...text(urlForm, isPostgresqlUrl), placeholder: 'url' },
  isPostgresqlUrl,
);

const file = path('the path of a file', isFilePath);

/** A file of SQLite or a URL of PostgreSQL. */
export const fileOrUrl: Kind<string> = {
  ...kindOfDatabase(
    `the path of a file, or ${urlForm}`,
    file,
    (value) => isPostgresqlUrl(value) || (isFilePath(value) && !/^postgres(?:ql)?:/i.test(value)),
  ),
  resolveFrom: (directory, value) =>
    isPostgresqlUrl(value) ? value : (file.resolveFrom?.(directory, value) ?? value),
};
