import type { Row } from '../command/output.ts';

/** The help of `--if-missing`. @param chosen the option with the identifier that the user chooses */
export function ifMissingHelp(record: string, chosen: string): string {
  return `leave a ${record} with this ${chosen}, or without it with this name, as it is, and exit with 0`;
}

/** The result of a command that has found what it would have made, for `Output.done`. @param record with its article @param id the identifier by its name */
export function unchanged(
  record: string,
  id: Readonly<Record<string, string>>,
): [words: string, report: Row] {
  const [known = ''] = Object.values(id);
  return [`There is ${record} ${known} already. Nothing was changed.`, { ...id, created: false }];
}
