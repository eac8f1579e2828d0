import { watchwordProcess } from '@watchword/server-testkit/processes/process';
import { machineSeconds, shareOfOthers } from '../measure/other-work.ts';
import { familySeconds } from '../measure/processor-time.ts';

/** Of the machine. With more of it used by others the time says nothing about a command. */
const tolerableShare = 0.1;

/** Runs the command in a process of its own, and returns what it printed. @throws if it fails */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { code, stdout, stderr } = await watchwordProcess(args, { env });
  if (code === 0) return stdout;
  throw new Error(`${stdout}${stderr}`);
}

/**
 * Prints how long a command took, with the processor time of all our processes. Returns what is wrong: longer than the bound on a machine
 * that nobody else used.
 */
export async function timedCommand(
  name: string,
  bound: number,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string[]> {
  const started = performance.now();
  const before = { machine: machineSeconds(), ours: familySeconds(process.pid) };
  const stdout = await runCommand(args, env);
  const seconds = (performance.now() - started) / 1000;
  const ours = familySeconds(process.pid) - before.ours;
  const others = shareOfOthers(machineSeconds() - before.machine, ours, seconds);
  const shown = [`${seconds.toFixed(1).padStart(6)} s`, `processor ${ours.toFixed(1).padStart(5)} s`];
  const used = `others used ${(others * 100).toFixed(0)} %`;
  console.log(`${shown.join(', ')}, ${used}  ${name}: ${stdout.trim().split('\n').at(-1)}`);
  if (seconds <= bound) return [];
  if (others <= tolerableShare) return [`${name}: ${seconds.toFixed(1)} s`];
  console.log(`        above ${bound} s, and ${used} of the machine: measure again when it is quiet`);
  return [];
}
