import { importedHash, newAccount } from '@watchword/accounts';
import { type Account, isObject, type JsonObject, OAuthError, Violations } from '@watchword/protocol';
import { ofAccount } from '../accounts/account-record.ts';
import { accountState, checkNewAccount, registrationOf } from '../accounts/account-rules.ts';
import { newAccountSchema } from '../accounts/schema.ts';
import type { Caller } from '../callers/caller.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { readRecord } from '../schema/read-record.ts';
import { optional } from '../schema/record-schema.ts';

/** An account of an import, without its hash. An unknown member is an error: the import of a person is not repeated. */
export const importedAccountSchema = {
  description: 'An account for "watchword import --accounts", which stands on one line.',
  fields: {
    ...newAccountSchema.fields,
    disabled: optional({ type: 'flag' }, 'Whether no login is possible. Default: false.'),
  },
  ignoresUnknown: false,
};

/** A line of the file, from 1 on. */
export interface AccountLine {
  readonly line: number;
  /** `undefined` if it is no JSON. */
  readonly value: unknown;
}

/** What an import did with a line, or with a dry run would do. */
export interface LineReport {
  readonly line: number;
  /** Empty where the line has none. */
  readonly username: string;
  /** An account that exists stays as it is; it is `different` if the line says something else of it. */
  readonly outcome: 'created' | 'unchanged' | 'different' | 'refused';
  /** Names of the fields that differ, or the reasons of a refusal; never a hash. */
  readonly details: readonly string[];
}

type Dependencies = Pick<
  AdministrationDependencies,
  'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'
>;

interface ReadAccount {
  readonly line: number;
  readonly account: Account;
  /** The fields that the line has. */
  readonly given: readonly string[];
}

/**
 * Imports accounts with the hashes of their passwords, in parts. Of each part all lines are stored, or none if one is refused. An account
 * that exists already stays as it is, so that an import that was interrupted can begin again.
 *
 * @param caller an administrator at the local command line: hashes never come over the network
 */
export function accountImport(
  caller: Caller,
  deps: Dependencies,
  { isDryRun }: { readonly isDryRun: boolean },
): (part: readonly AccountLine[]) => Promise<LineReport[]> {
  const seen = new Set<string>();
  return async (part) => {
    const read = await Promise.all(part.map((line) => readLine(line, deps)));
    const lines = read.map((each) => ('account' in each ? unlessSeen(each, seen) : each));
    const refused = lines.filter((each) => 'outcome' in each);
    const accounts = lines.filter((each) => 'account' in each);
    if (refused.length > 0 && !isDryRun) return refused;
    const stored = isDryRun ? await compare(accounts, deps) : await store(caller, accounts, deps);
    return [...refused, ...stored].toSorted((a, b) => a.line - b.line);
  };
}

async function readLine(
  { line, value }: AccountLine,
  { clock, random }: Dependencies,
): Promise<ReadAccount | LineReport> {
  if (!isObject(value)) return refusal(line, '', ['expected a JSON object']);
  const { passwordHash, ...object } = value;
  const { given, malformed } = await readRecord(importedAccountSchema, object);
  const { disabled = false, ...fields } = given;
  const registration = registrationOf(fields);
  const violations = new Violations(malformed);
  checkNewAccount(registration, violations);
  const read = hashOf(passwordHash);
  if ('problem' in read) violations.add('passwordHash', read.problem);
  try {
    violations.throwIfAny();
  } catch (error) {
    return refusal(line, usernameOf(object), reasonsOf(error));
  }
  const account = {
    ...newAccount(registration, clock.now(), random),
    passwordHash: 'hash' in read ? read.hash : undefined,
    disabled,
  };
  return { line, account, given: Object.keys(given) };
}

/** An account without a hash has no password yet. */
function hashOf(given: unknown): { readonly hash: string | undefined } | { readonly problem: string } {
  return given === undefined || given === null ? { hash: undefined } : importedHash(given);
}

function usernameOf({ username }: JsonObject): string {
  return typeof username === 'string' ? username : '';
}

function unlessSeen(read: ReadAccount, seen: Set<string>): ReadAccount | LineReport {
  const { line, account } = read;
  if (seen.has(account.username)) return refusal(line, account.username, ['is in the import twice']);
  seen.add(account.username);
  return read;
}

function refusal(line: number, username: string, details: readonly string[]): LineReport {
  return { line, username, outcome: 'refused', details };
}

function reasonsOf(error: unknown): readonly string[] {
  if (!(error instanceof OAuthError)) throw error;
  return error.violations ?? [error.message];
}

function compare(accounts: readonly ReadAccount[], { transact }: Dependencies): Promise<LineReport[]> {
  return transact(async (stores) => {
    const reports: LineReport[] = [];
    for (const each of accounts)
      reports.push(reportOf(each, await stores.accounts.find(each.account.username)));
    return reports;
  });
}

function store(caller: Caller, accounts: readonly ReadAccount[], deps: Dependencies): Promise<LineReport[]> {
  return changeRecords(caller, deps, async (stores) => {
    const reports: LineReport[] = [];
    for (const each of accounts) {
      const isNew = await stores.accounts.create(each.account);
      reports.push(reportOf(each, isNew ? undefined : await stores.accounts.find(each.account.username)));
    }
    const created = accounts.filter((_, index) => reports[index]?.outcome === 'created');
    return {
      value: reports,
      changes: created.map(({ account }) => ({
        action: 'create' as const,
        ...ofAccount(account.username),
        after: accountState(account),
      })),
    };
  });
}

/** @param before the account that exists already. Its password is its own: it can have changed since an earlier import */
function reportOf({ line, account, given }: ReadAccount, before: Account | undefined): LineReport {
  const { username } = account;
  if (before === undefined) return { line, username, outcome: 'created', details: [] };
  const [now, wanted] = [accountState(before), accountState(account)].map(
    (state) => new Map(Object.entries(state)),
  );
  const details = given.filter(
    (name) => JSON.stringify(now?.get(name)) !== JSON.stringify(wanted?.get(name)),
  );
  return { line, username, outcome: details.length > 0 ? 'different' : 'unchanged', details };
}
