import type { ImportedRecord, LineReport, TokenReport } from '@watchword/administration';
import type { JsonObject } from '@watchword/protocol';
import type { Note, NoteKind, Translation } from './translation.ts';

type Outcome = ImportedRecord['outcome'] | LineReport['outcome'];

/** What became of the records that were submitted. */
export class Outcomes {
  readonly #of = new Map<string, { readonly outcome: Outcome; readonly details: readonly string[] }>();

  /** A record that was refused before keeps its reasons. */
  addRecords(records: readonly ImportedRecord[]): void {
    for (const { recordType, name, outcome, details } of records)
      this.#add(recordType, name, outcome, details);
  }

  /** @returns the lines that are refused */
  addAccounts(reports: readonly LineReport[], accounts: readonly JsonObject[]): number[] {
    for (const { line, outcome, details } of reports)
      this.#add('account', String(accounts[line]?.username), outcome, details);
    return reports.filter(({ outcome }) => outcome === 'refused').map(({ line }) => line);
  }

  #add(kind: NoteKind, name: string, outcome: Outcome, details: readonly string[]): void {
    if (!this.isRefused(kind, name)) this.#of.set(`${kind} ${name}`, { outcome, details });
  }

  of(kind: NoteKind, name: string) {
    return this.#of.get(`${kind} ${name}`);
  }

  isRefused(kind: NoteKind, name: string): boolean {
    return this.of(kind, name)?.outcome === 'refused';
  }

  get hasRefused(): boolean {
    return [...this.#of.values()].some(({ outcome }) => outcome === 'refused');
  }
}

/** `leftOut`: it does not come. `notReached`: the import stopped before it. */
type ReportedOutcome = Outcome | 'leftOut' | 'notReached';

interface ReportedRecord extends Note {
  readonly outcome: ReportedOutcome;
  /** Fields that changed or differ, or the reasons of a refusal. */
  readonly details: readonly string[];
}

/** What came of the tokens, if they were to come. */
export interface MovedTokens {
  readonly created: number;
  readonly unchanged: number;
  readonly leftOut: readonly TokenReport[];
}

interface About {
  readonly from: string;
  readonly file: string;
  readonly dryRun: boolean;
  /** Whether the clients and APIs are stored. */
  readonly isStored: boolean;
  readonly tokens?: MovedTokens;
}

type MoveInReport = ReturnType<typeof reportOf>;

export function reportOf({ notes, mustDo }: Translation, outcomes: Outcomes, about: About) {
  const records = notes.map((note): ReportedRecord => {
    if (note.name === undefined) return { ...note, outcome: 'leftOut', details: [] };
    const { outcome = 'notReached', details = [] } = outcomes.of(note.kind, note.name) ?? {};
    return { ...note, outcome, details };
  });
  return { ...about, mustDo, records };
}

// More accounts are only counted.
const maxAccounts = 50;

const inWords: Readonly<Record<ReportedOutcome, string>> = {
  created: 'created',
  changed: 'changed',
  unchanged: 'unchanged',
  different: 'different',
  refused: 'refused',
  leftOut: 'left out',
  notReached: 'not reached',
};

const kinds: Readonly<Record<NoteKind, string>> = {
  resourceServer: 'resource server',
  client: 'client',
  account: 'account',
};

export function reportInWords(
  { records, mustDo, dryRun, tokens }: MoveInReport,
  { report, skipRefused }: { readonly report?: string | undefined; readonly skipRefused: boolean },
): string[] {
  const accounts = records.filter(({ kind }) => kind === 'account');
  const ofInterest = accounts.filter(
    ({ outcome, leftOut, mustDo: todo }) =>
      outcome === 'refused' || outcome === 'different' || leftOut.length + todo.length > 0,
  );
  const others = records.filter(({ kind }) => kind !== 'account');
  const more = ofInterest.length - maxAccounts;
  const isRefused = records.some(({ outcome }) => outcome === 'refused');
  return [
    ...[...others, ...ofInterest.slice(0, maxAccounts)].flatMap((record) => linesOf(record, dryRun)),
    ...(more > 0 ? [`and ${more} more accounts${report === undefined ? '; --report writes all' : ''}`] : []),
    ...mustDo.map((each) => `To do: ${each}`),
    `Resource servers and clients: ${counts(others)}. Accounts: ${counts(accounts)}.`,
    ...(tokens === undefined ? [] : tokensInWords(tokens)),
    ...(isRefused && !skipRefused
      ? ['Correct what is refused at the old server and export again, or leave it out with --skip-refused.']
      : []),
    ...(dryRun ? ['Dry run: nothing was changed.'] : []),
  ];
}

function linesOf(
  { kind, oldId, name, outcome, details, leftOut, mustDo }: ReportedRecord,
  dryRun: boolean,
): string[] {
  const words =
    dryRun && outcome === 'created'
      ? 'would create'
      : dryRun && outcome === 'changed'
        ? 'would change'
        : inWords[outcome];
  const reasons = outcome === 'leftOut' ? leftOut : details;
  return [
    `${words.padEnd(12)}  ${kinds[kind]} ${name ?? oldId}${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`,
    ...(outcome === 'leftOut' ? [] : leftOut.map((each) => `  left out: ${each}`)),
    ...mustDo.map((each) => `  to do: ${each}`),
  ];
}

function tokensInWords({ created, unchanged, leftOut }: MovedTokens): string[] {
  const byReason = Map.groupBy(leftOut, ({ reason }) => reason);
  return [
    `Tokens: ${created} created, ${unchanged} unchanged, ${leftOut.length} left out.`,
    ...[...byReason].map(([reason, of]) => `  left out: ${of.length} of which ${reason}`),
  ];
}

function counts(records: readonly ReportedRecord[]): string {
  const numbers = Object.entries(inWords).map(
    ([outcome, words]) => [records.filter((record) => record.outcome === outcome).length, words] as const,
  );
  const some = numbers.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`);
  return some.length > 0 ? some.join(', ') : 'none';
}
