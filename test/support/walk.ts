import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { curl } from '@watchword/server-testkit/processes/curl';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { lines, words } from './markdown.ts';

/** A reader who does what a guide says, in an empty folder beside a running server. */
export interface Walk extends AsyncDisposable {
  /** Secrets that commands have printed, by clientId or key. */
  readonly secrets: Map<string, string>;
  /** The clients that commands have registered. */
  readonly clientIds: readonly string[];
  /** What the reader pastes, by the word of the guide that stands for it: `PASTE_THE_TOKEN`. */
  readonly pasted: Map<string, string>;
  /** What the last command has printed. */
  readonly printed: () => string;
  /** Path in the folder. */
  file(name: string): string;
  /** Runs a block of commands. @throws AssertionError with the command that fails */
  run(block: string): Promise<void>;
}

/**
 * @param server whose addresses stand for those of the guide
 * @param replace changes the guide's text first, for example its host names
 */
export async function startWalk(
  server: { readonly baseUrl: string; readonly database: string },
  replace: (text: string) => string = (text) => text,
): Promise<Walk> {
  const directory = await temporaryDirectory();
  const env: Record<string, string> = {
    WATCHWORD_DATABASE: server.database,
    WATCHWORD_BASE_URL: server.baseUrl,
  };
  const secrets = new Map<string, string>();
  const clientIds: string[] = [];
  const pasted = new Map<string, string>();
  let printed = '';

  const here = (line: string) => {
    let text = replace(line).replaceAll('http://localhost:8080', server.baseUrl);
    for (const [word, value] of pasted) text = text.replaceAll(word, value);
    return text.replaceAll('/run/secrets/', `${directory.path}/`);
  };
  const inFolder = (word: string) =>
    word.startsWith('./') || (/^[\w.-]+$/.test(word) && existsSync(directory.file(word)))
      ? directory.file(word)
      : word;

  async function runCommand(line: string): Promise<void> {
    const [command = '', input] = line.split(' < ');
    const given = words(command).slice(2).map(inFolder);
    // Each `serve` of a guide would be a process: `config` reads the same flags and files.
    const serves = given[0] === 'serve';
    const args = serves ? ['config', ...given.slice(1).filter((word) => word !== '--demo')] : given;
    const isPasswordAsked = args[0] === 'user' && args[1] === 'create' && !args.includes('--url');
    const flags = [...(isPasswordAsked ? ['--password-stdin'] : []), ...(serves ? [] : ['--json'])];
    const stdin =
      input === undefined ? 'correct horse battery\n' : await readFile(directory.file(input), 'utf8');
    const { WATCHWORD_DATABASE = '', ...others } = env;
    const named = args[0] === 'import' ? /^--(?:database|config)/ : /^--(?:database|from|config)/;
    const isLocal = !args.includes('--url') && !args.some((arg) => named.test(arg));
    const result = await watchword([...args, ...flags], {
      stdin,
      env: { ...others, ...(isLocal && { WATCHWORD_DATABASE }) },
    });
    assert.equal(result.code, 0, `${line}\n${result.stderr}${result.stdout}`);
    printed = result.stdout;
    const { clientId, key, secret } = serves ? {} : firstRecord(printed);
    if (clientId !== undefined && args[1] === 'create') clientIds.push(clientId);
    if (secret !== undefined) secrets.set(clientId ?? key, secret);
  }

  async function runLine(guided: string): Promise<void> {
    const line = withSecret(here(guided), secrets);
    if (line.startsWith('npx watchword ')) return runCommand(line);
    if (line.startsWith('npm start -- '))
      return runCommand(line.replace('npm start -- ', 'npx watchword serve '));
    if (line.startsWith('curl ')) {
      const answer = await curl(expanded(line, env));
      assert.equal(answer?.error, undefined, `${line}\n${JSON.stringify(answer)}`);
      printed = JSON.stringify(answer);
      if (answer?.access_token !== undefined) pasted.set('PASTE_THE_TOKEN', answer.access_token);
      return;
    }
    printed = runShell(line, directory.path, env);
  }

  return {
    secrets,
    clientIds,
    pasted,
    printed: () => printed,
    file: (name) => directory.file(name),
    async run(block) {
      for (const line of lines(block).filter((line) => line !== '' && !line.startsWith('#')))
        await runLine(line);
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** Runs a line in the shell. Variables that it sets stay set for the lines after it. */
function runShell(line: string, cwd: string, env: Record<string, string>): string {
  const mark = '\0variables\0';
  const script = `set -ae\n${line}\nprintf '${mark.replaceAll('\0', '\\0')}'\nenv -0`;
  const { PATH = '' } = process.env;
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd,
    env: { PATH, ...env },
    encoding: 'utf8',
  });
  assert.equal(status, 0, `${line}\n${stderr}`);
  const [output = '', variables = ''] = stdout.split(mark);
  for (const entry of variables.split('\0')) {
    const [, name = '', value = ''] = /^([A-Z][A-Z_]*)=([\s\S]*)$/.exec(entry) ?? [];
    if (!['', 'PATH', 'PWD', 'OLDPWD', 'SHLVL'].includes(name)) env[name] = value;
  }
  return output;
}

function expanded(line: string, env: Readonly<Record<string, string>>): string {
  return line.replaceAll(/\$([A-Z_]+)/g, (whole, name: string) => env[name] ?? whole);
}

/** `ITS_SECRET` is the secret of the client or resource server that the line names. */
function withSecret(line: string, secrets: ReadonlyMap<string, string>): string {
  return [...secrets].reduce(
    (text, [id, secret]) =>
      text.replaceAll(new RegExp(`(?<=(?:-u |_ID=)${id}(?::| \\w+=))ITS_SECRET`, 'g'), secret),
    line,
  );
}

// biome-ignore lint/suspicious/noExplicitAny: any field of the output
function firstRecord(json: string): any {
  return json.trimStart().startsWith('{') ? JSON.parse(json) : {};
}
