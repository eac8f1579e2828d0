/** How TLS is used (libpq, `sslmode`). `require` does not verify the certificate; `verify-full` does, with the name of the host. */
export const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof sslModes)[number];

/** Which server of several is used (libpq, `target_session_attrs`). */
export const targetSessions = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const;
export type TargetSession = (typeof targetSessions)[number];

const known = [
  'sslmode',
  'sslrootcert',
  'sslcert',
  'sslkey',
  'application_name',
  'target_session_attrs',
] as const;

const elsewhere: Readonly<Record<string, string>> = {
  user: 'write the user before the host',
  password: 'write the password after the user, or into the environment variable PGPASSWORD',
  passfile:
    'write the password into the URL, which can come from a file, or into the environment variable PGPASSWORD',
  host: 'write the host after the @; the directory of a Unix socket is percent-encoded',
  port: 'write the port after the host',
  dbname: 'write the database after the host',
  connect_timeout: 'use the setting for the connect time-out',
  options: 'set options of the session with ALTER ROLE … SET',
  ssl: 'use sslmode',
};

/** The reason why the parameters of a URL are wrong; `undefined` if all are known. */
export function requireKnownParameters(names: readonly string[]): string | undefined {
  const wrong = names.find((name) => !known.some((each) => each === name));
  if (wrong === undefined) return undefined;
  const shown = wrong.slice(0, 40);
  const advice = elsewhere[wrong.toLowerCase()];
  if (advice !== undefined) return `it has the parameter ${shown}: ${advice}`;
  const near = known.find(
    (name) => lettersOf(name) === lettersOf(wrong) || name.startsWith(wrong.slice(0, 5)),
  );
  const question = near === undefined ? '' : ` (did you mean ${near}?)`;
  return `it has the unknown parameter ${shown}${question}; known are ${known.join(', ')}`;
}

/** Letters in their order, without case and separators: `sslMode` and `ssl_mode` are one name. */
function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}
