import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const TSC = fileURLToPath(new URL('../../../../node_modules/typescript/bin/tsc', import.meta.url));

/** Environment of the compiler, which takes more memory in place of a fourth more time. */
export const roomy = { ...process.env, GOGC: 'off', GOMEMLIMIT: '1GiB' };

/** Where an import of the package leads in a program of a user. */
export const SOURCE = fileURLToPath(new URL('../../src/index.ts', import.meta.url));

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: unknown;
}

/** What an editor shows in a program, at its mark `▮`. */
export interface LanguageService extends AsyncDisposable {
  /** The names that are offered. */
  completions(program: string): Promise<string[]>;
  hover(program: string): Promise<string>;
}

/** The compiler of this project as a language server (https://microsoft.github.io/language-server-protocol). */
export async function languageService(): Promise<LanguageService> {
  const directory = mkdtempSync(join(tmpdir(), 'watchword-editor-'));
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2024', types: [] };
  const tsconfig = { compilerOptions: { ...compilerOptions, allowImportingTsExtensions: true }, files: [] };
  writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify({ ...tsconfig, include: ['*.ts'] }));
  const server = spawn(process.execPath, [TSC, '--lsp', '--stdio'], {
    cwd: directory,
    env: roomy,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const exited = once(server, 'exit');
  const waiting = new Map<number, (result: unknown) => void>();
  const send = (message: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const receive = ({ id, method, params, result }: Message) => {
    if (id === undefined) return;
    // It asks for settings of the editor.
    if (method) send({ id, result: params?.items?.map(() => null) ?? null });
    else waiting.get(id)?.(result);
  };
  let received = Buffer.alloc(0);
  server.stdout.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    for (;;) {
      const begin = received.indexOf('\r\n\r\n') + 4;
      const end = begin + Number(/Content-Length: (\d+)/i.exec(received.toString('latin1', 0, begin))?.[1]);
      if (begin < 4 || received.length < end) return;
      const message: Message = JSON.parse(received.toString('utf8', begin, end));
      received = received.subarray(end);
      receive(message);
    }
  });
  let requests = 0;
  const ask = (method: string, params: object | null): Promise<unknown> => {
    requests += 1;
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.set(requests, resolve);
    send({ id: requests, method, params });
    return promise;
  };
  await ask('initialize', { processId: null, rootUri: pathToFileURL(directory).href, capabilities: {} });
  send({ method: 'initialized', params: {} });
  const askAt = (method: string, program: string): Promise<unknown> => {
    const [before = ''] = program.split('▮', 1);
    const uri = pathToFileURL(join(directory, `program-${requests}.ts`)).href;
    const text = program.replace('▮', '');
    send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'typescript', version: 1, text } },
    });
    const lines = before.split('\n');
    const position = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
    return ask(method, { textDocument: { uri }, position });
  };
  return {
    async completions(program) {
      const list = (await askAt('textDocument/completion', program)) as {
        readonly items: readonly { readonly label: string }[];
      };
      return list.items.map(({ label }) => label.replace('?', ''));
    },
    async hover(program) {
      const hover = (await askAt('textDocument/hover', program)) as {
        readonly contents: { readonly value: string };
      };
      return hover.contents.value;
    },
    async [Symbol.asyncDispose]() {
      await ask('shutdown', null);
      send({ method: 'exit' });
      server.stdin.end();
      await exited;
      rmSync(directory, { recursive: true });
    },
  };
}
