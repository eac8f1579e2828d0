import { isBroken, type NamedFinding, type Verdict } from '@watchword/doctor/finding';
import type { Options } from '../command/options.ts';
import { createOutput } from '../command/output.ts';

const signs: Readonly<Record<Verdict, string>> = { ok: '✓', warning: '!', broken: '✗', skipped: '-' };

/** Prints findings as they come, or all of them as JSON at the end. */
export interface Report {
  add(finding: NamedFinding): void;
  readonly isBroken: boolean;
  /** Prints the first break, and sets the exit code. */
  end(): void;
}

/** @param subject what is examined, for the JSON */
export function createReport(
  options: Options,
  subject: Readonly<Record<string, string | undefined>>,
): Report {
  const findings: NamedFinding[] = [];
  const output = createOutput(options.json === true, options.io);
  const firstBreak = () => findings.find(isBroken);
  return {
    add(finding) {
      findings.push(finding);
      if (options.json !== true) output.done(inWords(finding), {});
    },
    get isBroken() {
      return firstBreak() !== undefined;
    },
    end() {
      const first = firstBreak();
      const report = { ...subject, ok: first === undefined, firstBreak: first?.check ?? null, findings };
      output.done(lastLine(findings), report);
      if (first !== undefined) options.io.exitCode = 1;
    },
  };
}

function inWords({ verdict, check, found, expected, advice }: NamedFinding): string[] {
  return [
    `${signs[verdict]} ${check}: ${found}`,
    ...(expected === undefined ? [] : [`    expected: ${expected}`]),
    ...(advice === undefined ? [] : [`    to do: ${advice}`]),
  ];
}

function lastLine(findings: readonly NamedFinding[]): string[] {
  const broken = findings.filter(isBroken);
  const [first, ...others] = broken;
  const warnings = findings.filter(({ verdict }) => verdict === 'warning').length;
  if (first !== undefined) {
    const more =
      others.length === 0 ? '' : ` ${others.length} more ${others.length === 1 ? 'is' : 'are'} above.`;
    return ['', `The first break is ${first.check}: ${first.found}.${more}`];
  }
  const improve =
    warnings === 0 ? '' : ` ${warnings} ${warnings === 1 ? 'warning is' : 'warnings are'} above.`;
  return ['', `Nothing is broken.${improve}`];
}
