import type { SessionQuery } from './session.ts';

/** Milliseconds after which the server ends something; 0 is never. */
export interface SessionLimits {
  readonly statementTimeout: number;
  readonly lockTimeout: number;
  /** For a transaction whose client sends nothing: the locks of a process that hangs must not stay. */
  readonly idleTimeout: number;
  /** Further parameters of the session. Behind a pooler they are left out. */
  readonly parameters?: Readonly<Record<string, string>>;
}

/**
 * Sets the limits, for the session or for one transaction, and what the answers rely on. A commit must be durable before it is
 * answered: a stricter choice of the operator (`remote_apply`) stays, a weaker one does not.
 */
export function limitsQuery(limits: SessionLimits, isForTransaction: boolean): SessionQuery {
  const values: Readonly<Record<string, string>> = {
    statement_timeout: literal(limits.statementTimeout),
    lock_timeout: literal(limits.lockTimeout),
    idle_in_transaction_session_timeout: literal(limits.idleTimeout),
    synchronous_commit: `case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end`,
    bytea_output: `'hex'`,
    extra_float_digits: `'1'`,
    ...(!isForTransaction && { default_transaction_isolation: `'read committed'` }),
    ...(!isForTransaction && literals(limits.parameters ?? {})),
  };
  const calls = Object.entries(values).map(
    ([name, value]) => `set_config('${name}', ${value}, ${isForTransaction})`,
  );
  return { name: 'limits', text: `select ${calls.join(', ')}`, values: [] };
}

function literal(milliseconds: number): string {
  return `'${Math.round(milliseconds)}'`;
}

function literals(parameters: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, `'${value}'`]));
}
