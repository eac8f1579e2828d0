import {
  credentialsOf,
  factorState,
  type ImportDependencies,
  type ImportedFactor,
  importedFactors,
  importedHash,
  newAccount,
} from '@watchword/accounts';
import {
  type Account,
  type Credential,
  isObject,
  type JsonObject,
  OAuthError,
  type TransactionStores,
  Violations,
} from '@watchword/protocol';
import { ofAccount } from '../accounts/account-record.ts';
import { accountState, checkNewAccount, registrationOf, usernameTaken } from '../accounts/account-rules.ts';
import { newAccountSchema } from '../accounts/schema.ts';
import type { Caller } from '../callers/caller.ts';
import type { AuditedChange } from '../changes/audit.ts';
import { type AdministrationDependencies, changeRecords } from '../changes/change-records.ts';
import { undoable } from '../changes/undoable.ts';
import { readRecord } from '../schema/read-record.ts';
import { optional } from '../schema/record-schema.ts';

export { importedFactors, importedFactorsSchema, importedHash } from '@watchword/accounts';

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
  /** What is wrong with the line, where it is not JSON. */
  readonly problem?: string | undefined;
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

export type AccountImportDependencies = Pick<
  AdministrationDependencies,
  'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'
> &
  ImportDependencies;

interface ReadAccount {
  readonly line: number;
  readonly account: Account;
  readonly factors: readonly ImportedFactor[];
  /** The fields that the line has. */
  readonly given: readonly string[];
}

/**
 * Imports accounts with the hashes of their passwords and with their factors, in parts. Of each part all lines are stored, or none if one is refused. An account
 * that exists already stays as it is, so that an import that was interrupted can begin again.
 *
 * @param caller an administrator; hashes and secrets come from the local command line, and never over the network
 */
export function accountImport(
  caller: Caller,
  deps: AccountImportDependencies,
  { isDryRun }: { readonly isDryRun: boolean },
): (part: readonly AccountLine[]) => Promise<LineReport[]> {
  const seen = new Set<string>();
  return async (part) => {
    const read = await Promise.all(part.map((line) => readLine(line, caller, deps)));
    const lines = read.map((each) => ('account' in each ? unlessSeen(each, seen) : each));
    const refused = lines.filter((each) => 'outcome' in each);
    const accounts = lines.filter((each) => 'account' in each);
    if (refused.length > 0 && !isDryRun) return refused;
    const stored = isDryRun ? await compare(accounts, deps) : await store(caller, accounts, deps);
    return [...refused, ...stored].toSorted((a, b) => a.line - b.line);
  };
}

async function readLine(
  { line, value, problem }: AccountLine,
  caller: Caller,
  { clock, random }: AccountImportDependencies,
): Promise<ReadAccount | LineReport> {
  if (!isObject(value)) return refusal(line, '', [problem ?? 'expected a JSON object']);
  const { passwordHash, factors: givenFactors, ...object } = value;
  const { given, malformed } = await readRecord(importedAccountSchema, object);
  const { disabled = false, ...fields } = given;
  const registration = registrationOf(fields);
  const violations = new Violations(malformed);
  checkNewAccount(registration, violations);
  const read = hashOf(passwordHash);
  if ('problem' in read) violations.add('passwordHash', read.problem);
  for (const [name, problem] of forbidden(value, registration, caller)) violations.add(name, problem);
  const factors = await importedFactors(givenFactors, violations);
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
  return { line, account, factors, given: Object.keys(given) };
}

const onlyLocal =
  'comes with the local command alone, not over the network: leave it out, and let the user set a password with a reset link or a mail';

/** What cannot come over the network, or from a client that acts for itself. */
function* forbidden(
  value: JsonObject,
  { adminPrincipal }: Pick<Account, 'adminPrincipal'>,
  { access, right }: Caller,
): Iterable<[field: string, problem: string]> {
  for (const name of ['passwordHash', 'factors']) {
    if (access !== undefined && (value[name] ?? undefined) !== undefined) yield [name, onlyLocal];
  }
  if (adminPrincipal && right !== undefined)
    yield ['adminPrincipal', 'a client that acts for itself cannot make an administrator'];
}

/** An account without a hash has no password yet. */
function hashOf(given: unknown): { readonly hash: string | undefined } | { readonly problem: string } {
  return given === undefined || given === null ? { hash: undefined } : importedHash(given);
}

function usernameOf({ username }: JsonObject): string {
  return typeof username === 'string' ? username : '';
}

function unlessSeen(read: ReadAccount, seen: Set<string>): ReadAccount | LineReport {
  const { line, account, factors } = read;
  const refuse = (reason: string) => refusal(line, account.username, [reason]);
  if (seen.has(account.username)) return refuse('is in the import twice');
  seen.add(account.username);
  for (const handle of handlesOf(factors)) {
    // No name has a space.
    if (seen.has(` ${handle}`)) return refuse('factors: a passkey is in the import twice');
    seen.add(` ${handle}`);
  }
  return read;
}

function handlesOf(factors: readonly ImportedFactor[]): string[] {
  return factors.flatMap((factor) => (factor.kind === 'passkey' ? [factor.passkey.id] : []));
}

function refusal(line: number, username: string, details: readonly string[]): LineReport {
  return { line, username, outcome: 'refused', details };
}

function reasonsOf(error: unknown): readonly string[] {
  if (!(error instanceof OAuthError)) throw error;
  return error.violations ?? [error.message];
}

function compare(
  accounts: readonly ReadAccount[],
  { transact }: AccountImportDependencies,
): Promise<LineReport[]> {
  return transact((stores) => reportsOf(accounts, stores));
}

/** What each line is to the accounts that exist. */
async function reportsOf(
  lines: readonly ReadAccount[],
  stores: Pick<TransactionStores, 'accounts' | 'credentials'>,
): Promise<LineReport[]> {
  const known = await stores.accounts.listNamed(lines.map(({ account }) => account.username));
  const byName = new Map(known.map((account) => [account.username, account]));
  const reports: LineReport[] = [];
  for (const each of lines) reports.push(await reportOf(each, byName.get(each.account.username), stores));
  return reports;
}

async function store(
  caller: Caller,
  accounts: readonly ReadAccount[],
  deps: AccountImportDependencies,
): Promise<LineReport[]> {
  // Before the transaction, which does not wait for a key management system.
  const sealed = await Promise.all(
    accounts.map(({ factors, account }) => credentialsOf(factors, account, deps)),
  );
  return undoable((undo: (reports: LineReport[]) => never) =>
    changeRecords(caller, deps, async (stores) => {
      const reports = await reportsOf(accounts, stores);
      const refused = reports.find(({ outcome }) => outcome === 'refused');
      if (refused !== undefined) undo([refused]);
      const created = accounts.flatMap(({ account }, index) =>
        reports[index]?.outcome === 'created' ? [{ account, credentials: sealed[index] ?? [] }] : [],
      );
      return { value: reports, changes: await createAll(created, stores) };
    }),
  );
}

async function createAll(
  created: readonly { readonly account: Account; readonly credentials: readonly Credential[] }[],
  stores: TransactionStores,
): Promise<AuditedChange[]> {
  const made = await stores.accounts.createAll(created.map(({ account }) => account));
  if (made !== created.length) throw usernameTaken();
  const changes: AuditedChange[] = [];
  for (const { account, credentials } of created) {
    const of = ofAccount(account.username);
    changes.push({ action: 'create', ...of, after: accountState(account) });
    for (const credential of credentials) {
      await stores.credentials.create(credential, credentials.length);
      changes.push({ action: 'addFactor', ...of, after: factorState(credential) });
    }
  }
  return changes;
}

/** An account that exists has its own password and secrets: they can have changed since an earlier import. */
async function reportOf(
  { line, account, factors, given }: ReadAccount,
  before: Account | undefined,
  { credentials }: Pick<TransactionStores, 'credentials'>,
): Promise<LineReport> {
  const { username } = account;
  const there = await Promise.all(handlesOf(factors).map((handle) => credentials.findByHandle(handle)));
  if (before === undefined) {
    return there.every((each) => each === undefined)
      ? { line, username, outcome: 'created', details: [] }
      : refusal(line, username, ['factors: another user has a passkey with the same credentialId']);
  }
  const [now, wanted] = [accountState(before), accountState(account)].map(
    (state) => new Map(Object.entries(state)),
  );
  const details = given.filter(
    (name) => JSON.stringify(now?.get(name)) !== JSON.stringify(wanted?.get(name)),
  );
  if (there.some((each) => each?.owner.name !== username)) details.push('factors');
  return { line, username, outcome: details.length > 0 ? 'different' : 'unchanged', details };
}
