/** One thing that a verifier needs of its server, or that it found out about it. No text has a secret. */
export interface CheckFinding {
  readonly check: 'address' | 'credentials' | 'issuer' | 'clock' | 'format' | 'proofs';
  /** `broken`: tokens cannot be verified. `skipped`: nothing is known, for the reason in the message. */
  readonly level: 'ok' | 'warning' | 'broken' | 'skipped';
  /** What came. */
  readonly message: string;
  /** Of warnings and of what is broken. */
  readonly expected?: string;
  /** What mends it. */
  readonly advice?: string;
}

/** A verifier cannot use its server. Shows no secret. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
  /** All of them, in the order of a check. */
  readonly findings: readonly CheckFinding[];

  constructor(findings: readonly CheckFinding[]) {
    const lines = findings
      .filter(isBroken)
      .map(
        ({ check, message, expected, advice }) => `\n  ${check}: ${message}; expected ${expected}; ${advice}`,
      );
    super(`This API cannot verify tokens:${lines.join('')}`);
    this.findings = findings;
  }
}

/** @throws CheckError if one of them is broken */
export function demandWhole(findings: readonly CheckFinding[]): readonly CheckFinding[] {
  if (findings.some(isBroken)) throw new CheckError(findings);
  return findings;
}

function isBroken({ level }: CheckFinding): boolean {
  return level === 'broken';
}
