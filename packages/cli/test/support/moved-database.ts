import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyDemo } from '@watchword/server-testkit/servers/server';
import { postgresqlServer } from '@watchword/testkit/postgresql';

/** The demo records in a SQLite file, an empty database of PostgreSQL, and a file with its URL. */
export async function databases() {
  const directory = await temporaryDirectory();
  const made = await (await postgresqlServer()).createDatabase();
  const [file, urlFile] = [directory.file('watchword.db'), directory.file('url')];
  await copyDemo(file);
  await writeFile(urlFile, `${made.url}\n`);
  return {
    file,
    urlFile,
    url: made.url,
    path: directory.file,
    async [Symbol.asyncDispose]() {
      await made.drop();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Runs `migrate-data`, which must succeed; resolves with its report. */
export async function move(...args: readonly string[]) {
  const { code, stdout, stderr } = await watchword(['migrate-data', ...args, '--json']);
  assert.deepEqual([code, /error|warning/.test(stderr)], [0, false], stderr);
  return JSON.parse(stdout);
}
