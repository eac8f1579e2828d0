import { dirname, resolve } from 'node:path';
import { isObject, secretLine, shown } from '@watchword/protocol';
import { secretInFile } from '@watchword/server/secret-source';
import type { Io } from '../command/io.ts';
import { type ConfigurationFile, recordsOf } from './read-file.ts';

const reference = /^(env|file):(.+)$/s;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const expected =
  'expected a reference, env:NAME or file:PATH; the secret itself must not be in the file. If it was committed, replace it at once';

/**
 * The content with the secrets that its references name. They are read on this machine alone.
 *
 * @param file its path; references to files are relative to its folder
 * @throws ConfigurationRefused with every reference that cannot be used
 */
export async function withSecrets(
  { content, refusal }: ConfigurationFile,
  file: string,
  { env }: Pick<Io, 'env'>,
): Promise<unknown> {
  if (!isObject(content)) return content;
  const problems: (readonly [path: string, problem: string])[] = [];
  const folder = file === '-' ? '.' : dirname(file);
  const resolved = async (list: 'resourceServers' | 'clients') =>
    Promise.all(
      recordsOf(content, list).map(async (record, index) => {
        if (record.secret === undefined || record.secret === null) return record;
        const read = await readReference(record.secret, folder, env);
        if ('secret' in read) return { ...record, secret: read.secret };
        problems.push([`${list}/${index}/secret`, `secret: ${read.problem}`]);
        return record;
      }),
    );
  const lists = {
    ...(Array.isArray(content.resourceServers) && { resourceServers: await resolved('resourceServers') }),
    ...(Array.isArray(content.clients) && { clients: await resolved('clients') }),
  };
  if (problems.length > 0) throw refusal(problems);
  return { ...content, ...lists };
}

async function readReference(
  given: unknown,
  folder: string,
  env: Io['env'],
): Promise<{ readonly secret: string } | { readonly problem: string }> {
  const [, kind, name = ''] = typeof given === 'string' ? (reference.exec(given) ?? []) : [];
  if (kind === undefined) return { problem: expected };
  if (kind === 'env') {
    if (!variableName.test(name)) return { problem: `expected env: and the name of a variable` };
    const value = secretLine(env[name] ?? '');
    return value === ''
      ? { problem: `the variable ${name} is not set; set it, or leave secret out to keep the stored one` }
      : { secret: value };
  }
  try {
    const secret = secretLine(await secretInFile(resolve(folder, name)));
    return secret === '' ? { problem: `the file ${shown(name, 200)} is empty` } : { secret };
  } catch (error) {
    return {
      problem: `the file ${shown(name, 200)} cannot be read: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}`,
    };
  }
}
