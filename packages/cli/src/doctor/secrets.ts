import { type SecretName, type Secrets, secretVariables } from '@watchword/doctor/secrets';
import { secretLine } from '@watchword/protocol';
import { printable } from '@watchword/server/runtime/log/printable';
import type { Io } from '../command/io.ts';
import { type HiddenLines, openHiddenLines, secretText } from '../command/secret-input.ts';
import { UsageError } from '../command/usage-error.ts';

// Not an import, which would load every part of it (docs/adr/0083).
const { parseEnv } = process.getBuiltinModule('node:util');

const questions: Readonly<Record<SecretName, (owner: string) => string>> = {
  client: (owner) => `Secret of the client ${owner}: `,
  password: (owner) => `Password of ${owner}: `,
  resourceServer: (owner) => `Secret of the resource server ${owner} (empty: ask as the client): `,
};

/**
 * The secrets of standard input, of the environment or of a terminal. They are never arguments, because other users of the
 * machine can read command lines.
 *
 * @param fromStdin standard input has lines such as `WATCHWORD_DOCTOR_PASSWORD=…`
 * @throws UsageError
 */
export async function secretsOf(io: Io, fromStdin: boolean): Promise<Secrets> {
  const given = fromStdin ? { ...io.env, ...(await secretLines(io)) } : io.env;
  const mayAsk = !fromStdin && io.stdin.isTTY === true;
  const typed = new Map<SecretName, string | undefined>();
  // Opened by the first question: until then Ctrl-C ends the command as usual.
  let lines: HiddenLines | undefined;
  return {
    async find(name, owner) {
      const found = secretLine(given[secretVariables[name]] ?? '') || undefined;
      if (found !== undefined || !mayAsk) return found;
      lines ??= openHiddenLines(io);
      if (!typed.has(name)) typed.set(name, await lines.ask(printable(questions[name](owner))));
      return typed.get(name) || undefined;
    },
    [Symbol.dispose]: () => lines?.[Symbol.dispose](),
  };
}

async function secretLines({ stdin }: Io): Promise<Readonly<Record<string, string | undefined>>> {
  const names: readonly string[] = Object.values(secretVariables);
  const expected = `lines with ${names.map((name) => `${name}=…`).join(', ')}`;
  const lines = parseEnv(await secretText('--secrets-stdin', stdin));
  const unknown = Object.keys(lines).filter((name) => !names.includes(name));
  if (unknown.length > 0 || Object.keys(lines).length === 0) {
    // What was read is not repeated: it can be a secret.
    throw new UsageError(`--secrets-stdin: expected ${expected} on standard input, got other text`);
  }
  return lines;
}
