import {
  type Check,
  type Checked,
  type CheckResult,
  checksums,
  clockOfDatabase,
  commits,
  connections,
  durability,
  indexes,
  rights,
  schema,
  transactionAge,
  version,
} from './checks.ts';

/** In this order, because the first ones count the connections of other processes, which more of them open later. */
const checksAtStart: readonly Check[] = [
  connections,
  schema,
  rights,
  indexes,
  durability,
  commits,
  transactionAge,
];

// A server reports its clock by itself, and does not repeat at each start what an operator can have decided for good.
const checksOfCommand: readonly Check[] = [version, ...checksAtStart, clockOfDatabase, checksums];

/** @throws the error of a check that cannot be made */
export async function runChecks(checked: Checked): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const check of checksOfCommand) results.push(await check(checked));
  return results;
}

/**
 * What is wrong with the database server, with advice.
 *
 * @param onError called with the error of a check that cannot be made, such as on an engine without what it reads
 */
export async function adviceAtStart(checked: Checked, onError: (error: unknown) => void): Promise<string[]> {
  const advice: string[] = [];
  for (const check of checksAtStart) {
    try {
      const { findings = [], warnings = [] } = await check(checked);
      advice.push(...findings, ...warnings);
    } catch (error) {
      onError(error);
    }
  }
  return advice;
}
