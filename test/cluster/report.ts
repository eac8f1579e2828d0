import type { CheckResult } from './run.ts';

/** The figures of a check, for people. */
export function reportOf({
  ledger,
  tokens,
  faults,
  slowestRecovery,
  seconds,
  logins,
  database,
}: CheckResult): string {
  const states = tokens.map((token) => token.state());
  const inState = (state: string) => states.filter((each) => each === state).length;
  const answers = [...ledger.counts].sort().map(([kind, counts]) => {
    const each = [...counts].sort().map(([status, count]) => `${status}: ${count}`);
    return `  ${kind.padEnd(14)} ${each.join('  ')}`;
  });
  return [
    `${Math.round(seconds)} s; faults: ${[...faults].map(([name, count]) => `${count} ${name}`).join(', ')}`,
    `slowest answer ${Math.round(ledger.slowest)} ms, slowest recovery ${Math.round(slowestRecovery)} ms`,
    `${Math.round(logins / seconds)} logins a second, each with an ID token that its client verified`,
    'answers by status:',
    ...answers,
    `access tokens answered: ${tokens.length}, of which ${inState('valid')} are valid, ${inState('ended')} have ended, and ${inState('either')} were to end, without an answer that they have`,
    `database: ${database.accessTokens} access tokens, of which ${database.unanswered} were stored for requests without an answer; ${database.grants} grants`,
    ledger.violations.length === 0 ? 'no rule was broken' : `rules broken: ${ledger.violations.length}`,
    ...ledger.violations.slice(0, 20).map((violation) => `  ${violation}`),
  ].join('\n');
}
